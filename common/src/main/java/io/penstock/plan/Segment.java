package io.penstock.plan;

/**
 * Rows of one window that follow one another in a rank's part of a global batch.
 *
 * @param from place within the window of the first row
 * @param to one past the place of the last
 * @param at place of the first row within the rank's rows of the step
 */
public record Segment(WindowKey window, int from, int to, int at) {
  public int rows() {
    return to - from;
  }

  /** Whether the rows are valid, that is not padding. */
  public boolean valid() {
    return window.valid();
  }
}
