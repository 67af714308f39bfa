package io.penstock.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How the text of a setting becomes a value, and which values it may have. */
@FunctionalInterface
interface SettingType<T> {
  /**
   * Reads a value.
   *
   * @throws IllegalArgumentException whose message is what the value must be: {@code must be >= 1}
   */
  T parse(String text);

  /** Units of sizes, each 1024 of the one before. */
  String SIZE_UNITS = "bkmgt";

  Pattern SIZE = Pattern.compile("([0-9]+)\\s*(?:([kmgt])b?|b)?");
  Pattern DURATION = Pattern.compile("([0-9]+)\\s*(ns|us|ms|s|m|h|d)?");
  Map<String, Long> NANOS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L,
          "d", 86_400_000_000_000L);

  /** Any text, blank refused. */
  static SettingType<String> text() {
    return text -> {
      if (text.isBlank()) {
        throw new IllegalArgumentException("must not be empty");
      }
      return text.strip();
    };
  }

  /** Text that can be left empty; so can the Hadoop setting that it refers to. */
  static SettingType<Optional<String>> optionalText() {
    return text ->
        text.isBlank() || text.contains("${") ? Optional.empty() : Optional.of(text.strip());
  }

  /** Several texts with commas between. */
  static SettingType<List<String>> texts() {
    return text -> {
      List<String> parts =
          Arrays.stream(text.split(",")).map(String::strip).filter(s -> !s.isEmpty()).toList();
      if (parts.isEmpty()) {
        throw new IllegalArgumentException("must not be empty");
      }
      return parts;
    };
  }

  /** Words with spaces between, such as options of a JVM. */
  static SettingType<List<String>> words() {
    return text ->
        Arrays.stream(text.strip().split("\\s+")).filter(word -> !word.isEmpty()).toList();
  }

  /** An absolute ZooKeeper path. */
  static SettingType<String> znode() {
    return text -> {
      if (!text.startsWith("/") || text.endsWith("/") || text.contains("//")) {
        throw new IllegalArgumentException("must begin with a slash and not end with one");
      }
      return text;
    };
  }

  /** {@code true} or {@code false}. */
  static SettingType<Boolean> yesOrNo() {
    return text ->
        switch (text.strip().toLowerCase(Locale.ROOT)) {
          case "true" -> true;
          case "false" -> false;
          default -> throw new IllegalArgumentException("must be true or false");
        };
  }

  /** One of an enum's names in lower case with hyphens. */
  static <E extends Enum<E>> SettingType<E> oneOf(Class<E> type) {
    return text -> {
      List<String> words = new ArrayList<>();
      for (E constant : type.getEnumConstants()) {
        String word = constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
        if (word.equals(text.strip())) {
          return constant;
        }
        words.add(word);
      }
      throw new IllegalArgumentException("must be one of " + String.join(", ", words));
    };
  }

  /** A whole number within bounds, both included. */
  static SettingType<Integer> count(int least, int most) {
    return text -> {
      int value;
      try {
        value = Integer.parseInt(text.strip());
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException("must be a whole number" + within(least, most), e);
      }
      if (value < least || value > most) {
        throw new IllegalArgumentException("must be" + within(least, most));
      }
      return value;
    };
  }

  /** A number within bounds, both included. */
  static SettingType<Double> share(double least, double most) {
    return text -> {
      double value;
      try {
        value = Double.parseDouble(text.strip());
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException("must be a number from " + least + " to " + most, e);
      }
      if (!(value >= least && value <= most)) {
        throw new IllegalArgumentException("must be from " + least + " to " + most);
      }
      return value;
    };
  }

  /**
   * Bytes: a whole number with {@code b, k, m, g, t} (each 1024 of the last), or none for bytes.
   */
  static SettingType<Long> size(String least, String most) {
    return text -> {
      long bytes;
      try {
        bytes = bytes(text);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("must be a size such as 64m", e);
      }
      if (bytes < bytes(least) || bytes > bytes(most)) {
        throw new IllegalArgumentException("must be from " + least + " to " + most);
      }
      return bytes;
    };
  }

  /** A duration with one of Hadoop's units {@code ns, us, ms, s, m, h, d}. */
  static SettingType<Duration> duration(String least, String most) {
    return text -> {
      Duration duration;
      try {
        duration = span(text);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("must be a duration with its unit, such as 30s", e);
      }
      if (duration.compareTo(span(least)) < 0 || duration.compareTo(span(most)) > 0) {
        throw new IllegalArgumentException("must be from " + least + " to " + most);
      }
      return duration;
    };
  }

  private static String within(int least, int most) {
    return most == Integer.MAX_VALUE ? " >= " + least : " from " + least + " to " + most;
  }

  private static long bytes(String text) {
    Matcher matcher = SIZE.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(text);
    }
    int shift = matcher.group(2) == null ? 0 : 10 * SIZE_UNITS.indexOf(matcher.group(2));
    long number = Long.parseLong(matcher.group(1));
    if (number > Long.MAX_VALUE >> shift) {
      throw new IllegalArgumentException(text);
    }
    return number << shift;
  }

  private static Duration span(String text) {
    Matcher matcher = DURATION.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(text);
    }
    long number = Long.parseLong(matcher.group(1));
    if (matcher.group(2) == null && number != 0) {
      throw new IllegalArgumentException(text);
    }
    try {
      return Duration.ofNanos(
          matcher.group(2) == null ? 0 : Math.multiplyExact(number, NANOS.get(matcher.group(2))));
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(text, e);
    }
  }
}
