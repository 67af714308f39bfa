package io.penstock.coordination.records;

import io.penstock.model.Digest128;
import java.util.Objects;

/**
 * Certificate sums over a set of delivered rows (ORDER.md, "Certificate"), and where the rows came
 * from. The sums of a whole are those of its parts added up.
 *
 * @param rows rows delivered, padding included
 * @param padding how many of them were padding
 * @param fromStorage how many of the valid rows are of row groups that were read from the file
 *     system
 * @param fromCache how many of the valid rows are of row groups that came from the cache; also in
 *     the first epoch, where a row group lies in two lanes of one rank and is needed twice
 * @param order order digest
 * @param values values digest; zero where it was switched off for any of the rows, because a digest
 *     of some of them compares with nothing
 */
public record Sums(
    long rows, long padding, long fromStorage, long fromCache, Digest128 order, Digest128 values) {
  /** The sums over nothing. */
  public static final Sums NONE = new Sums(0, 0, 0, 0, Digest128.ZERO, Digest128.ZERO);

  public Sums {
    Objects.requireNonNull(order, "order");
    Objects.requireNonNull(values, "values");
  }

  /** The sums over both parts. */
  public Sums plus(Sums other) {
    return new Sums(
        rows + other.rows,
        padding + other.padding,
        fromStorage + other.fromStorage,
        fromCache + other.fromCache,
        order.plus(other.order),
        hasValues() && other.hasValues() ? values.plus(other.values) : Digest128.ZERO);
  }

  /** Whether the values digest is of all rows. */
  private boolean hasValues() {
    return rows == 0 || !values.equals(Digest128.ZERO);
  }
}
