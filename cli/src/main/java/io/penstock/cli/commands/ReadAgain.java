package io.penstock.cli.commands;

import io.penstock.cli.past.RecordedFeed;
import io.penstock.config.Settings;
import io.penstock.container.LocalBatches;
import io.penstock.container.slots.FullSlots.FullSlot;
import io.penstock.container.slots.Slot;
import io.penstock.container.slots.StepRecord;
import io.penstock.model.Cursor;
import io.penstock.model.Digest128;
import io.penstock.model.RankSlice;
import io.penstock.model.TensorSpec;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/**
 * Global batches of past jobs, made anew from their data on this machine.
 *
 * @param configuration with values digests on
 */
record ReadAgain(Configuration configuration, Settings settings) {
  private static final int SHOWN_BYTES = 16;

  /** Takes in one batch. */
  @FunctionalInterface
  interface Sink {
    void accept(Slot slot);
  }

  /**
   * Digests of what was read.
   *
   * @param bad rows, padding aside, that are not valid
   */
  record Digests(Digest128 order, Digest128 values, long bad) {
    static final Digests NONE = new Digests(Digest128.ZERO, Digest128.ZERO, 0);

    Digests plus(Slot slot) {
      StepRecord step = slot.record();
      return new Digests(
          order.plus(step.order()),
          values.plus(step.values()),
          bad + step.rows() - step.padding() - step.rowsFromStorage() - step.rowsFromCache());
    }
  }

  private LocalBatches open(RecordedFeed feed, long epoch, long from, long to) {
    return LocalBatches.open(
        feed.prepared(),
        new RankSlice(0, 1),
        new Cursor(epoch, from),
        Cursor.after(epoch, to - 1, feed.prepared().plan().steps()),
        configuration,
        settings);
  }

  /** Makes the batches of some steps. */
  void each(RecordedFeed feed, long epoch, long from, long to, Sink sink) {
    try (LocalBatches batches = open(feed, epoch, from, to)) {
      for (Optional<FullSlot> next = batches.take(); next.isPresent(); next = batches.take()) {
        try (FullSlot full = next.get()) {
          sink.accept(full.slot());
        }
      }
    }
  }

  /** The digests of some steps. */
  Digests digests(RecordedFeed feed, long epoch, long from, long to) {
    Digests[] sum = {Digests.NONE};
    each(feed, epoch, from, to, slot -> sum[0] = sum[0].plus(slot));
    return sum[0];
  }

  /** Where the data of two jobs first differ within some steps, in words. */
  Optional<String> firstDifference(
      RecordedFeed one, RecordedFeed other, long epoch, long from, long to) {
    try (LocalBatches ones = open(one, epoch, from, to);
        LocalBatches others = open(other, epoch, from, to)) {
      while (true) {
        Optional<FullSlot> a = ones.take();
        Optional<FullSlot> b = others.take();
        if (a.isEmpty() || b.isEmpty()) {
          a.ifPresent(FullSlot::close);
          b.ifPresent(FullSlot::close);
          return Optional.empty();
        }
        try (FullSlot mine = a.get();
            FullSlot theirs = b.get()) {
          Optional<String> found = difference(mine.slot(), theirs.slot());
          if (found.isPresent()) {
            return found;
          }
        }
      }
    }
  }

  private static Optional<String> difference(Slot one, Slot other) {
    List<TensorSpec> parts = one.layout().parts();
    if (!parts.equals(other.layout().parts())) {
      return Optional.of("the batches hold other tensors");
    }
    int rows = Math.min(one.layout().rows(), other.layout().rows());
    for (int i = 0; i < rows; i++) {
      for (int k = 0; k < parts.size(); k++) {
        int bytes = parts.get(k).rowBytes();
        ByteBuffer mine = row(one, k, i, bytes);
        ByteBuffer theirs = row(other, k, i, bytes);
        int at = mine.mismatch(theirs);
        if (at >= 0) {
          return Optional.of(
              "step %d, position %d, row %d: tensor %s differs from byte %d of the row on: %s and %s"
                  .formatted(
                      one.record().step(),
                      one.record().firstPosition() + i,
                      one.memory().getLong(one.layout().rowOffset() + 8 * i),
                      parts.get(k).name(),
                      at,
                      hex(mine, at),
                      hex(theirs, at)));
        }
      }
    }
    return Optional.empty();
  }

  private static ByteBuffer row(Slot slot, int part, int row, int bytes) {
    return slot.memory().slice(slot.layout().offset(part) + row * bytes, bytes);
  }

  private static String hex(ByteBuffer row, int at) {
    byte[] bytes = new byte[Math.min(SHOWN_BYTES, row.capacity() - at)];
    row.get(at, bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
