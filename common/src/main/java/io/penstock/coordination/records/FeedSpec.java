package io.penstock.coordination.records;

import io.penstock.model.RankRange;
import java.util.Objects;

/**
 * One feed of a job, as far as others need to know it.
 *
 * @param feedDigest SHA-256 of the feed's canonical text, hex
 * @param catalogDigest digest of the catalog, hex
 * @param feedFile the feed file in staging
 * @param catalogFile the catalog in staging
 * @param ranks consumers asked for, the most where W may change
 * @param lanes N
 * @param batch B, rows of the global batch
 * @param steps T, steps per epoch
 * @param epochs how many epochs the job delivers
 * @param rows R, rows of the catalog
 * @param maxBadRows share of all rows that may be quarantined, 0 where bad row groups fail the job
 * @param shuffle as the feed file spells it
 * @param minRanks the fewest consumers; 0 in records from before it could change
 */
public record FeedSpec(
    String feedDigest,
    String catalogDigest,
    String feedFile,
    String catalogFile,
    int ranks,
    int lanes,
    int batch,
    long steps,
    long epochs,
    long rows,
    double maxBadRows,
    String shuffle,
    int minRanks) {
  public FeedSpec {
    minRanks = minRanks == 0 ? ranks : minRanks;
    Objects.requireNonNull(feedDigest, "feedDigest");
    Objects.requireNonNull(catalogDigest, "catalogDigest");
    if (ranks < 1 || steps < 1 || epochs < 1) {
      throw new IllegalArgumentException(
          "must be >= 1: ranks=" + ranks + " steps=" + steps + " epochs=" + epochs);
    }
  }

  /** How many ranks the feed may have. */
  public RankRange rankRange() {
    return new RankRange(minRanks, ranks);
  }
}
