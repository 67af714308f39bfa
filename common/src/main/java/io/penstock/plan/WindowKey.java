package io.penstock.plan;

/**
 * Names one use of a window.
 *
 * @param pass 0, or how often the lane has begun again to pad the epoch's last steps; rows of a
 *     pass other than 0 are not valid
 * @param window w, within the lane
 */
public record WindowKey(long epoch, int lane, int pass, int window) {
  /** Whether the rows that it delivers are valid, that is not padding. */
  public boolean valid() {
    return pass == 0;
  }

  /** {@code epoch/lane/pass/window}. */
  @Override
  public String toString() {
    return epoch + "/" + lane + "/" + pass + "/" + window;
  }
}
