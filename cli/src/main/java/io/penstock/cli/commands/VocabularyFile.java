package io.penstock.cli.commands;

import io.penstock.cli.statistics.ColumnStatistics;
import io.penstock.model.UsageException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The text of a vocabulary: UTF-8, one value a line.
 *
 * @param values how many it has
 * @param leftOut how many a line can't hold: no UTF-8, a line break in them, or a carriage return
 *     at their end
 */
record VocabularyFile(String text, long values, long leftOut) {
  /**
   * Of the columns that share it: those of the first column first, each column's most frequent
   * first.
   *
   * @param limit that the statistics were made with
   * @throws UsageException if a column has more values
   */
  static VocabularyFile of(Map<String, ColumnStatistics> columns, List<String> paths, int limit) {
    Set<String> lines = new LinkedHashSet<>();
    long leftOut = 0;
    for (String path : paths) {
      ColumnStatistics column = columns.get(path);
      if (column.distinctValues().isEmpty()) {
        throw new UsageException(
            "column %s has more values than a vocabulary may: --vocabulary=%d"
                .formatted(path, limit));
      }
      for (Object value : column.valuesByFrequency()) {
        Optional<String> line = line(value);
        line.ifPresent(lines::add);
        leftOut += line.isPresent() ? 0 : 1;
      }
    }
    StringBuilder text = new StringBuilder();
    lines.forEach(line -> text.append(line).append('\n'));
    return new VocabularyFile(text.toString(), lines.size(), leftOut);
  }

  private static Optional<String> line(Object value) {
    if (!(value instanceof ByteBuffer bytes)) {
      return Optional.of(value.toString());
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(bytes.duplicate()).toString();
      return Optional.of(text).filter(t -> t.indexOf('\n') < 0 && !t.endsWith("\r"));
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }
}
