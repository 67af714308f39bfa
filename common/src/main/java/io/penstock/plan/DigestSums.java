package io.penstock.plan;

import io.penstock.model.Digest128;
import java.util.Objects;

/**
 * Adds up the digest of rows delivered in one epoch (ORDER.md, "Certificate"): the order digest if
 * fed with catalog row numbers, the values digest if fed with {@link RowValue}s. Not thread-safe;
 * digests of parts add up by {@link Digest128#plus}.
 */
public final class DigestSums {
  private final long firstOfEpoch;
  private final long secondOfEpoch;
  private long first;
  private long second;

  public DigestSums(long epoch) {
    firstOfEpoch = Certificate.mix(Certificate.FIRST + epoch);
    secondOfEpoch = Certificate.mix(Certificate.SECOND + epoch);
  }

  /** Counts one row: its catalog row number, or its value. */
  public void add(long position, long row) {
    first += Certificate.mix(Certificate.mix(firstOfEpoch + position) + row);
    second += Certificate.mix(Certificate.mix(secondOfEpoch + position) + row);
  }

  /** Counts {@code rows[from .. from+count-1]} at consecutive positions. */
  public void add(long firstPosition, long[] rows, int from, int count) {
    Objects.checkFromIndexSize(from, count, rows.length);
    long a = 0;
    long b = 0;
    for (int i = 0; i < count; i++) {
      long position = firstPosition + i;
      long row = rows[from + i];
      a += Certificate.mix(Certificate.mix(firstOfEpoch + position) + row);
      b += Certificate.mix(Certificate.mix(secondOfEpoch + position) + row);
    }
    first += a;
    second += b;
  }

  /** The digest of all rows counted so far. */
  public Digest128 digest() {
    return new Digest128(first, second);
  }
}
