package io.penstock.model;

/** The element types that a tensor can have, with NumPy's names and layouts (little-endian). */
public enum DType {
  BOOL("bool", 1, "|b1"),
  UINT8("uint8", 1, "|u1"),
  INT8("int8", 1, "|i1"),
  INT16("int16", 2, "<i2"),
  INT32("int32", 4, "<i4"),
  INT64("int64", 8, "<i8"),
  FLOAT16("float16", 2, "<f2"),
  FLOAT32("float32", 4, "<f4"),
  FLOAT64("float64", 8, "<f8");

  private final String text;
  private final int bytes;
  private final String descr;

  DType(String text, int bytes, String descr) {
    this.text = text;
    this.bytes = bytes;
    this.descr = descr;
  }

  /** The name that feed files and NumPy use. */
  public String text() {
    return text;
  }

  /** Bytes per element. */
  public int bytes() {
    return bytes;
  }

  /** The type string of the {@code .npy} format. */
  public String descr() {
    return descr;
  }

  /** Whether it holds floating-point numbers. */
  public boolean isFloat() {
    return this == FLOAT16 || this == FLOAT32 || this == FLOAT64;
  }
}
