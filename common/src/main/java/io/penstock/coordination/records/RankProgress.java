package io.penstock.coordination.records;

import io.penstock.model.Cursor;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * How far a rank is: node {@code feeds/<feed>/progress/<rank>}, written by its container every few
 * seconds and at each commit. {@link CommitLog} keeps the lists short.
 *
 * @param generation generation of the assignment that this is about
 * @param device what the batches lie on, as people read it
 * @param cursor the next step that the training step will get
 * @param commits rising; those that the agreed cursor has not passed
 * @param epochs rising; from the agreed cursor's epoch on
 * @param rowsPerSecond lately; of the whole generation when it has ended
 * @param waitShare share of time that the training step waited for its next batch, likewise
 * @param cacheShare share of delivered rows that came from the cache, in this generation
 * @param retries reads tried again, in this generation
 * @param stalls times that the training step found no batch ready, in this generation
 * @param quarantined the first {@link #QUARANTINED_LISTED} row groups that this rank quarantined
 * @param quarantinedRows rows of all row groups that this rank quarantined, each counted once
 * @param failure why the rank ends, if it fails
 * @param weightsDigest what the training step says of its weights in the end
 */
public record RankProgress(
    int rank,
    int ranks,
    int generation,
    String container,
    String host,
    String device,
    Phase phase,
    Cursor cursor,
    List<Commit> commits,
    List<RankEpoch> epochs,
    double rowsPerSecond,
    double waitShare,
    double cacheShare,
    long retries,
    long stalls,
    List<Quarantined> quarantined,
    long quarantinedRows,
    Optional<Failure> failure,
    Optional<String> weightsDigest,
    long updatedMillis) {
  /** How many quarantined row groups a rank lists at most. */
  public static final int QUARANTINED_LISTED = 200;

  public RankProgress {
    Objects.requireNonNull(container, "container");
    Objects.requireNonNull(phase, "phase");
    Objects.requireNonNull(cursor, "cursor");
    commits = commits == null ? List.of() : List.copyOf(commits);
    epochs = epochs == null ? List.of() : List.copyOf(epochs);
    quarantined = quarantined == null ? List.of() : List.copyOf(quarantined);
    failure = failure == null ? Optional.empty() : failure;
    weightsDigest = weightsDigest == null ? Optional.empty() : weightsDigest;
  }

  /** The newest commit's cursor, if there is one. */
  public Optional<Cursor> committed() {
    return commits.isEmpty()
        ? Optional.empty()
        : Optional.of(commits.get(commits.size() - 1).cursor());
  }
}
