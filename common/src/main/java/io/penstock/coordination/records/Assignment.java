package io.penstock.coordination.records;

import io.penstock.model.Cursor;
import io.penstock.model.RankSlice;
import java.util.Objects;

/**
 * What a container shall deliver: node {@code feeds/<feed>/ranks/<rank>}.
 *
 * @param ranks W in this generation
 * @param generation generation of the containers that this belongs to
 * @param container YARN's container id
 * @param slot which of its host's caches the container uses: 0, 1, ... among this job's containers
 *     there
 * @param start the first global batch to deliver
 */
public record Assignment(
    int rank, int ranks, int generation, String container, String host, int slot, Cursor start) {
  public Assignment {
    Objects.requireNonNull(container, "container");
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(start, "start");
    new RankSlice(rank, ranks);
  }

  /** The rank's part of every global batch. */
  public RankSlice slice() {
    return new RankSlice(rank, ranks);
  }
}
