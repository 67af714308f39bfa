package io.penstock.cli.past;

import io.penstock.coordination.records.Agreed;
import io.penstock.coordination.records.Resumption;
import io.penstock.coordination.records.Sums;
import io.penstock.feed.Feed;
import io.penstock.history.Block;
import io.penstock.model.Cursor;
import io.penstock.model.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Where a job can go on from, and the sums that lie before. */
public final class ResumePoint {
  private ResumePoint() {}

  /**
   * Reads {@code epoch:step}.
   *
   * @throws UsageException if it is none
   */
  public static Cursor parse(String text) {
    if (!text.matches("[0-9]{1,10}:[0-9]{1,10}")) {
      throw new UsageException("must be epoch:step, whole numbers: --from=" + text);
    }
    String[] parts = text.split(":");
    return new Cursor(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
  }

  /**
   * Where to begin.
   *
   * @param past of the job to go on from
   * @param from instead of its agreed cursor
   * @param feed to go on with; may have more epochs
   * @throws UsageException if nothing is left to deliver, or the sums before {@code from} are not
   *     known
   */
  public static Resumption.Start of(RecordedFeed past, Optional<Cursor> from, Feed feed) {
    Agreed agreed = past.agreed();
    Cursor cursor = from.orElse(agreed.cursor());
    long steps = past.prepared().plan().steps();
    if (cursor.step() >= steps) {
      throw new UsageException(
          "must be a step of an epoch, < %d: --from=%s".formatted(steps, cursor));
    }
    if (cursor.epoch() >= feed.epochs()) {
      throw new UsageException(
          ("nothing is left to deliver: %s begins after the last of %d epochs, job %s has"
                  + " committed all before %s; a feed file with more `epochs` (--feed) would go on")
              .formatted(cursor, feed.epochs(), past.application(), agreed.cursor()));
    }
    if (cursor.compareTo(agreed.cursor()) > 0) {
      throw new UsageException(
          "must be <= %s, which all ranks of %s have committed: --from=%s"
              .formatted(agreed.cursor(), past.application(), cursor));
    }
    return new Resumption.Start(
        cursor, sums(past, cursor), past.spec().feedDigest(), past.spec().catalogDigest());
  }

  private static Sums sums(RecordedFeed past, Cursor cursor) {
    if (cursor.step() == 0) {
      return Sums.NONE;
    }
    if (cursor.equals(past.agreed().cursor())) {
      return past.agreed().sums();
    }
    Sums sums = Sums.NONE;
    long at = 0;
    List<Long> known = new ArrayList<>(List.of(0L));
    for (Block block : past.blocks(cursor.epoch())) {
      if (block.from() != at || block.to() > cursor.step()) {
        break;
      }
      sums = sums.plus(block.sums());
      at = block.to();
      known.add(at);
    }
    if (at != cursor.step()) {
      throw new UsageException(
          "job %s has no sums of its own up to --from=%s; the nearest step before that it has is %d:%d"
              .formatted(past.application(), cursor, cursor.epoch(), known.get(known.size() - 1)));
    }
    return sums;
  }
}
