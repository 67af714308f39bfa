package io.penstock.plan;

/** First entry of a spawn key: what a permutation is for (ORDER.md, "The plan"). */
final class Domain {
  static final long DEAL = 0;
  static final long LANE = 1;
  static final long WINDOW = 2;

  private Domain() {}
}
