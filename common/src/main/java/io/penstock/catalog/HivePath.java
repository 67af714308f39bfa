package io.penstock.catalog;

import io.penstock.model.UsageException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What the folders named {@code key=value} on the way to a file say about it. */
final class HivePath {
  private static final String NULL = "__HIVE_DEFAULT_PARTITION__";

  private HivePath() {}

  /**
   * The values by key, outermost folder first; empty for null.
   *
   * @param relative the file's path below its root
   * @throws UsageException if a key is there twice or a name is not UTF-8 when decoded
   */
  static Map<String, Optional<String>> partitions(String file, String relative) {
    Map<String, Optional<String>> values = new LinkedHashMap<>();
    int from = 0;
    for (int slash = relative.indexOf('/'); slash >= 0; slash = relative.indexOf('/', from)) {
      String folder = relative.substring(from, slash);
      from = slash + 1;
      int equals = folder.indexOf('=');
      if (equals <= 0) {
        continue;
      }
      String key = decode(file, folder.substring(0, equals));
      String value = decode(file, folder.substring(equals + 1));
      if (values.put(key, value.equals(NULL) ? Optional.empty() : Optional.of(value)) != null) {
        throw new UsageException("the hive key '" + key + "' is twice in the path of file " + file);
      }
    }
    return Collections.unmodifiableMap(values);
  }

  /** Percent-decodes; a percent sign that two hex digits do not follow stays. */
  private static String decode(String file, String text) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < text.length(); ) {
      int high = i + 2 < text.length() ? Character.digit(text.charAt(i + 1), 16) : -1;
      int low = i + 2 < text.length() ? Character.digit(text.charAt(i + 2), 16) : -1;
      if (text.charAt(i) == '%' && high >= 0 && low >= 0) {
        bytes.write(16 * high + low);
        i += 3;
      } else {
        int point = text.codePointAt(i);
        bytes.writeBytes(Character.toString(point).getBytes(StandardCharsets.UTF_8));
        i += Character.charCount(point);
      }
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.toByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      throw new UsageException(
          "must be UTF-8 when percent-decoded: folder '" + text + "' in the path of file " + file,
          e);
    }
  }
}
