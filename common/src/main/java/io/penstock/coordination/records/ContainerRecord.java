package io.penstock.coordination.records;

import java.util.Objects;

/**
 * A container that lives: ephemeral node {@code containers/<container>}.
 *
 * @param container YARN's container id
 * @param device what the batches lie on, as people read it
 * @param feed which feed it was started for
 * @param rank which rank it was started for
 */
public record ContainerRecord(
    String container,
    String host,
    long pid,
    String device,
    Phase phase,
    String feed,
    int rank,
    int generation) {
  public ContainerRecord {
    Objects.requireNonNull(container, "container");
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(phase, "phase");
  }
}
