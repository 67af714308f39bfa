package io.penstock.model;

import java.util.Objects;

/**
 * What a column's values become (FEED.md, "Types"), whatever physical form a file gives them.
 *
 * @param kind the values
 * @param scale digits after the point of a {@link Kind#DECIMAL}, else 0
 * @param listDepth number of list axes around the value; 0 for a scalar column
 */
public record ColumnType(Kind kind, int scale, int listDepth) {
  /** The values that a column can have. */
  public enum Kind {
    /** 0 or 1. */
    BOOLEAN,
    /** Exact 64-bit whole numbers; every signed width and unsigned ones up to 32 bits. */
    INTEGER,
    /** Exact unsigned 64-bit whole numbers, kept as their bits in a {@code long}. */
    UNSIGNED,
    /** Floating-point numbers, exact in float64. */
    FLOAT,
    /** Unscaled whole number and a scale. */
    DECIMAL,
    /** Whole days since 1970. */
    DATE,
    /** Whole microseconds since midnight. */
    TIME,
    /** Whole microseconds since 1970. */
    TIMESTAMP,
    /** Bytes: strings, enums, JSON, binary, fixed, UUID. */
    BYTES;

    /** Whether the values are whole numbers that fit a signed {@code long}. */
    public boolean isWhole() {
      return this == BOOLEAN
          || this == INTEGER
          || this == DATE
          || this == TIME
          || this == TIMESTAMP;
    }
  }

  public ColumnType {
    Objects.requireNonNull(kind, "kind");
    if (listDepth < 0) {
      throw new IllegalArgumentException("must be >= 0: listDepth=" + listDepth);
    }
  }

  public static ColumnType scalar(Kind kind) {
    return new ColumnType(kind, 0, 0);
  }

  /** For messages: {@code list<list<integer>>}, {@code decimal(scale 2)}. */
  @Override
  public String toString() {
    String inner = kind.name().toLowerCase(java.util.Locale.ROOT);
    if (kind == Kind.DECIMAL) {
      inner += "(scale " + scale + ")";
    }
    return "list<".repeat(listDepth) + inner + ">".repeat(listDepth);
  }
}
