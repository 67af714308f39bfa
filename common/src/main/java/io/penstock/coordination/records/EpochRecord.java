package io.penstock.coordination.records;

import io.penstock.model.Digest128;
import java.util.List;
import java.util.Objects;

/**
 * A finished epoch: node {@code feeds/<feed>/epochs/<epoch>}, written by the ApplicationMaster when
 * the agreed cursor has passed its end.
 *
 * @param steps steps of the epoch
 * @param rows rows delivered by all ranks, padding included, each position once
 * @param seconds wall time of the slowest rank, restarts included
 * @param waitShare share of the ranks' time that the training step waited for its next batch
 * @param fromStorage how many of the rows are of row groups that were read from the file system
 * @param fromCache how many are of row groups that came from the cache
 * @param order order digest
 * @param values values digest
 * @param deliveredAgain rows that a restart had delivered a second time, not counted in {@code
 *     rows}
 * @param losses of the ranks that tell one, in rank order
 */
public record EpochRecord(
    long epoch,
    long steps,
    long rows,
    long padding,
    double seconds,
    double waitShare,
    long fromStorage,
    long fromCache,
    Digest128 order,
    Digest128 values,
    long deliveredAgain,
    List<Double> losses) {
  public EpochRecord {
    Objects.requireNonNull(order, "order");
    Objects.requireNonNull(values, "values");
    losses = losses == null ? List.of() : List.copyOf(losses);
  }
}
