package io.penstock.coordination.records;

import java.util.Optional;
import java.util.function.ToIntBiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A row group whose rows are delivered as not valid because its content is bad.
 *
 * @param rowGroup its index in the catalog
 * @param file full path
 * @param ordinal the row group's ordinal within its file
 * @param rows rows of the row group
 * @param reason what is wrong with it, shortened to 200 characters
 */
public record Quarantined(int rowGroup, String file, int ordinal, long rows, String reason) {
  /** The kind of the decisions that tell of one. */
  public static final String DECISION = "quarantine";

  private static final int REASON = 200;

  private static final Pattern TOLD =
      Pattern.compile(
          "feed (\\S+): file (.*), row group ([0-9]+), ([0-9]+) rows: (.*)", Pattern.DOTALL);

  public Quarantined {
    reason = Shortened.to(REASON, reason);
  }

  /** As a decision tells it. */
  public String told(String feed) {
    return "feed %s: file %s, row group %d, %d rows: %s"
        .formatted(feed, file, ordinal, rows, reason);
  }

  /**
   * Reads what {@link #told} wrote.
   *
   * @param index the index in the catalog of a file's row group
   * @return empty if it is about another feed, or says that there are more
   */
  public static Optional<Quarantined> read(
      String told, String feed, ToIntBiFunction<String, Integer> index) {
    Matcher parts = TOLD.matcher(told);
    if (!parts.matches() || !parts.group(1).equals(feed)) {
      return Optional.empty();
    }
    String file = parts.group(2);
    int ordinal = Integer.parseInt(parts.group(3));
    return Optional.of(
        new Quarantined(
            index.applyAsInt(file, ordinal),
            file,
            ordinal,
            Long.parseLong(parts.group(4)),
            parts.group(5)));
  }
}
