package io.penstock.plan;

import java.util.Arrays;

/** Reads a lane's stream of one epoch row by row; holds the order of one window. */
final class LaneStream {
  private final LanePlan lane;
  private WindowOrder order;
  private int window;
  private int place;
  private boolean valid;

  /** Starts at an offset, which may lie beyond the lane's rows: the lane then has begun again. */
  LaneStream(LanePlan lane, long offset) {
    this.lane = lane;
    this.valid = offset < lane.rows();
    long within = offset % lane.rows();
    this.window = lane.windowAt(within);
    this.place = (int) (within - lane.windowBegin(window));
    this.order = lane.window(window);
  }

  /** Fills {@code count} catalog row numbers and their validity from {@code at} on. */
  void read(long[] rows, boolean[] validity, int at, int count) {
    for (int done = 0; done < count; ) {
      if (place == order.rows()) {
        advance();
      }
      int run = Math.min(count - done, order.rows() - place);
      order.catalogRows(place, place + run, rows, at + done);
      Arrays.fill(validity, at + done, at + done + run, valid);
      place += run;
      done += run;
    }
  }

  private void advance() {
    place = 0;
    window++;
    if (window == lane.windows()) {
      window = 0;
      valid = false;
    }
    if (lane.windows() > 1) {
      order = lane.window(window);
    }
  }
}
