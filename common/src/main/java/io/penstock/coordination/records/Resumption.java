package io.penstock.coordination.records;

import io.penstock.model.Cursor;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Where a job that goes on from another begins.
 *
 * @param application the other job
 * @param feeds by name
 */
public record Resumption(String application, Map<String, Start> feeds) {
  /**
   * Where a feed begins.
   *
   * @param cursor the first step to deliver
   * @param sums of the epoch {@code cursor.epoch()} up to the cursor, as the other job and those
   *     before it delivered it
   * @param feedDigest the feed must have, 64 hex digits
   * @param catalogDigest likewise of the catalog
   */
  public record Start(Cursor cursor, Sums sums, String feedDigest, String catalogDigest) {
    public Start {
      Objects.requireNonNull(cursor, "cursor");
      Objects.requireNonNull(sums, "sums");
      Objects.requireNonNull(feedDigest, "feedDigest");
      Objects.requireNonNull(catalogDigest, "catalogDigest");
    }
  }

  public Resumption {
    Objects.requireNonNull(application, "application");
    feeds = Collections.unmodifiableMap(new TreeMap<>(feeds));
  }
}
