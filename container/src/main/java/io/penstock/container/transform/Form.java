package io.penstock.container.transform;

import io.penstock.model.ColumnType;

/** What the values of a column are on their way from file to tensor. */
enum Form {
  /** Signed 64-bit whole numbers. */
  WHOLE("whole numbers"),
  /** Unsigned 64-bit whole numbers, as bits. */
  UNSIGNED("unsigned whole numbers"),
  /** Float64. */
  FLOAT("floats"),
  /** References to bytes. */
  BYTES("bytes");

  private final String text;

  Form(String text) {
    this.text = text;
  }

  /** For messages. */
  String text() {
    return text;
  }

  boolean isWhole() {
    return this == WHOLE || this == UNSIGNED;
  }

  /** What values of this kind are before any op but {@code unscaled}. */
  static Form of(ColumnType.Kind kind) {
    return switch (kind) {
      case BOOLEAN, INTEGER, DATE, TIME, TIMESTAMP -> WHOLE;
      case UNSIGNED -> UNSIGNED;
      case FLOAT, DECIMAL -> FLOAT;
      case BYTES -> BYTES;
    };
  }
}
