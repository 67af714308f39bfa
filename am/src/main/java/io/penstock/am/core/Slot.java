package io.penstock.am.core;

import java.util.Objects;

/** A rank of a feed, whichever container fills it. */
public record Slot(String feed, int rank) implements Comparable<Slot> {
  public Slot {
    Objects.requireNonNull(feed, "feed");
  }

  @Override
  public int compareTo(Slot other) {
    int byFeed = feed.compareTo(other.feed);
    return byFeed != 0 ? byFeed : Integer.compare(rank, other.rank);
  }

  /** {@code feed/rank}. */
  @Override
  public String toString() {
    return feed + "/" + rank;
  }
}
