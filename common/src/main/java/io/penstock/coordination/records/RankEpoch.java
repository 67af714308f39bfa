package io.penstock.coordination.records;

import java.util.Objects;
import java.util.Optional;

/**
 * What a rank delivered of one epoch in this generation, so far.
 *
 * @param sums certificate sums up to the rank's cursor; those of the whole epoch once it is past it
 * @param rowsFromStorage valid rows delivered whose row group was read from the file system
 * @param rowsFromCache valid rows delivered whose row group came from the cache
 * @param bytesFromStorage bytes read from the file system
 * @param seconds wall time from the epoch's first request for a batch to now, or to its last commit
 * @param waitSeconds how much of it the training step waited for its next batch
 * @param retries reads that were tried again
 * @param loss the training step's loss, if it tells one
 */
public record RankEpoch(
    long epoch,
    Sums sums,
    long rowsFromStorage,
    long rowsFromCache,
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
