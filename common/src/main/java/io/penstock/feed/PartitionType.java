package io.penstock.feed;

import io.penstock.feed.Scalar.FloatScalar;
import io.penstock.feed.Scalar.IntegerScalar;
import io.penstock.feed.Scalar.StringScalar;
import io.penstock.model.ColumnType;
import io.penstock.model.ColumnType.Kind;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** The types that {@code partition_types} can give to the values of hive folder names. */
public enum PartitionType {
  STRING("string", Kind.BYTES, 0),
  BOOL("bool", Kind.BOOLEAN, 1),
  INT8("int8", Kind.INTEGER, 8),
  INT16("int16", Kind.INTEGER, 16),
  INT32("int32", Kind.INTEGER, 32),
  INT64("int64", Kind.INTEGER, 64),
  UINT8("uint8", Kind.INTEGER, 8),
  UINT16("uint16", Kind.INTEGER, 16),
  UINT32("uint32", Kind.INTEGER, 32),
  UINT64("uint64", Kind.UNSIGNED, 64),
  FLOAT32("float32", Kind.FLOAT, 32),
  FLOAT64("float64", Kind.FLOAT, 64),
  DATE("date", Kind.DATE, 0);

  private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,40}");
  private static final Pattern FLOAT =
      Pattern.compile("-?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]+)?");
  private static final Pattern DAY = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");

  private final String text;
  private final Kind kind;
  private final int bits;

  PartitionType(String text, Kind kind, int bits) {
    this.text = text;
    this.kind = kind;
    this.bits = bits;
  }

  /** The word that the feed file uses. */
  public String text() {
    return text;
  }

  /** What the values become. */
  public ColumnType type() {
    return ColumnType.scalar(kind);
  }

  /**
   * Reads one percent-decoded value of a folder name, as Arrow does: whole numbers in decimal with
   * leading zeros allowed, {@code true}, {@code false}, {@code 1} and {@code 0} in any case, {@code
   * nan} and {@code inf} in any case, days as {@code 2026-01-31}.
   *
   * @return a string, a whole number (bool: 0 or 1; date: days since 1970) or a float; empty if the
   *     text is no value of this type or out of its range
   */
  public Optional<Scalar> parse(String value) {
    return switch (this) {
      case STRING -> Optional.of(new StringScalar(value));
      case BOOL -> parseBool(value);
      case INT8, INT16, INT32, INT64 -> {
        BigInteger limit = BigInteger.ONE.shiftLeft(bits - 1);
        yield parseWhole(value, limit.negate(), limit);
      }
      case UINT8, UINT16, UINT32, UINT64 ->
          parseWhole(value, BigInteger.ZERO, BigInteger.ONE.shiftLeft(bits));
      case FLOAT32, FLOAT64 -> parseFloat(value);
      case DATE -> parseDate(value);
    };
  }

  private static Optional<Scalar> parseBool(String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "true", "1" -> Optional.of(IntegerScalar.of(1));
      case "false", "0" -> Optional.of(IntegerScalar.of(0));
      default -> Optional.empty();
    };
  }

  private static Optional<Scalar> parseWhole(String value, BigInteger from, BigInteger to) {
    if (!WHOLE.matcher(value).matches()) {
      return Optional.empty();
    }
    BigInteger number = new BigInteger(value);
    return number.compareTo(from) < 0 || number.compareTo(to) >= 0
        ? Optional.empty()
        : Optional.of(new IntegerScalar(number));
  }

  private Optional<Scalar> parseFloat(String value) {
    String lower = value.toLowerCase(Locale.ROOT);
    double number;
    switch (lower) {
      case "nan" -> number = Double.NaN;
      case "inf", "infinity" -> number = Double.POSITIVE_INFINITY;
      case "-inf", "-infinity" -> number = Double.NEGATIVE_INFINITY;
      default -> {
        if (!FLOAT.matcher(value).matches()) {
          return Optional.empty();
        }
        number = bits == 32 ? Float.parseFloat(value) : Double.parseDouble(value);
      }
    }
    return Optional.of(new FloatScalar(number));
  }

  private static Optional<Scalar> parseDate(String value) {
    if (!DAY.matcher(value).matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(IntegerScalar.of(LocalDate.parse(value).toEpochDay()));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
