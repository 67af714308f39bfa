package io.penstock.history;

import io.penstock.model.Cursor;
import io.penstock.model.RankSlice;
import java.util.Objects;

/**
 * What a certificate file is of.
 *
 * @param slice the rank, of how many
 * @param generation of the job's containers, from 1
 * @param start the first step that the generation delivers
 * @param steps steps of an epoch
 * @param batch rows of the global batch
 * @param blockSteps steps of a block
 * @param values whether values digests were on
 * @param feedDigest SHA-256, 64 hex digits
 * @param catalogDigest likewise
 */
public record CertificateHeader(
    RankSlice slice,
    int generation,
    Cursor start,
    long steps,
    int batch,
    int blockSteps,
    Values values,
    String feedDigest,
    String catalogDigest) {
  /** Whether values digests were on. */
  public enum Values {
    ON,
    OFF
  }

  public CertificateHeader {
    Objects.requireNonNull(slice, "slice");
    Objects.requireNonNull(start, "start");
    Objects.requireNonNull(values, "values");
    Objects.requireNonNull(feedDigest, "feedDigest");
    Objects.requireNonNull(catalogDigest, "catalogDigest");
    if (steps < 1 || batch < 1 || blockSteps < 1) {
      throw new IllegalArgumentException(
          "must be >= 1: steps=%d batch=%d blockSteps=%d".formatted(steps, batch, blockSteps));
    }
  }
}
