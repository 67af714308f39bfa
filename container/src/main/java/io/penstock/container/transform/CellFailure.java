package io.penstock.container.transform;

/**
 * A value that breaks a rule, by its cell in the block at hand. Whoever owns the block knows the
 * row and makes a {@link io.penstock.model.DataException} of it; so it carries no stack trace.
 */
final class CellFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int cell;

  /**
   * @param cell place in the block
   * @param detail constraint and value, as in {@code must be 0 or 1 to become bool: 2}
   */
  CellFailure(int cell, String detail) {
    this(cell, detail, null);
  }

  CellFailure(int cell, String detail, Throwable cause) {
    super(detail, cause, false, false);
    this.cell = cell;
  }

  int cell() {
    return cell;
  }
}
