package io.penstock.coordination.records;

import java.util.Objects;
import java.util.Optional;

/**
 * What a rank delivered of one epoch in this generation, so far.
 *
 * @param sums over the rows up to the rank's cursor; over the rank's whole part once it is past the
 *     epoch
 * @param bytesFromStorage bytes read from the file system
 * @param seconds wall time from the epoch's first request for a batch to now, or to its last commit
 * @param waitSeconds how much of it the training step waited for its next batch
 * @param retries reads that were tried again
 * @param loss the training step's loss, if it tells one
 */
public record RankEpoch(
    long epoch,
    Sums sums,
    long bytesFromStorage,
    double seconds,
    double waitSeconds,
    long retries,
    Optional<Double> loss) {
  public RankEpoch {
    Objects.requireNonNull(sums, "sums");
    loss = loss == null ? Optional.empty() : loss;
  }
}
