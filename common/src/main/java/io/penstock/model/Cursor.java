package io.penstock.model;

/**
 * The next global batch to deliver (ORDER.md, "Cursor").
 *
 * @param epoch 0, 1, 2 ...
 * @param step step within the epoch, &gt;= 0
 */
public record Cursor(long epoch, long step) implements Comparable<Cursor> {
  /** The beginning of a run. */
  public static final Cursor START = new Cursor(0, 0);

  public Cursor {
    if (epoch < 0 || step < 0) {
      throw new IllegalArgumentException("must be >= 0: epoch=" + epoch + " step=" + step);
    }
  }

  /**
   * The cursor after step {@code step} of {@code epoch} is done, in epochs of {@code steps} steps.
   */
  public static Cursor after(long epoch, long step, long steps) {
    return step + 1 >= steps ? new Cursor(epoch + 1, 0) : new Cursor(epoch, step + 1);
  }

  @Override
  public int compareTo(Cursor other) {
    int byEpoch = Long.compare(epoch, other.epoch);
    return byEpoch != 0 ? byEpoch : Long.compare(step, other.step);
  }

  /** {@code epoch:step}. */
  @Override
  public String toString() {
    return epoch + ":" + step;
  }
}
