package io.penstock.cli.commands;

import io.penstock.cli.past.BlockPair;
import io.penstock.cli.past.FeedDifferences;
import io.penstock.cli.past.PlannedOrder;
import io.penstock.cli.past.RecordedFeed;
import io.penstock.coordination.records.EpochRecord;
import io.penstock.history.Block;
import io.penstock.model.PenstockException;
import io.penstock.model.RowGroupRef;
import io.penstock.plan.GlobalBatch;
import io.penstock.plan.GlobalOrder;
import io.penstock.plan.Plan;
import java.util.List;
import java.util.Optional;

/**
 * Two jobs beside each other: their inputs, their epochs, and where they first part.
 *
 * @param again reads data where values differ
 */
record JobComparison(RecordedFeed one, RecordedFeed other, ReadAgain again, Findings findings) {
  void compare() {
    String inputs = "feed " + one.name();
    if (one.spec().feedDigest().equals(other.spec().feedDigest())) {
      findings.note("same       %s: digest %s".formatted(inputs, one.spec().feedDigest()));
    } else {
      findings.note("other      %s".formatted(inputs));
      FeedDifferences.between(
              one.prepared().feed().canonical(), other.prepared().feed().canonical())
          .forEach(line -> findings.note("             " + line));
    }
    findings.note(
        one.spec().catalogDigest().equals(other.spec().catalogDigest())
            ? "same       catalog: digest " + one.spec().catalogDigest()
            : "other      catalog: %s of %d rows, %s of %d rows"
                .formatted(
                    one.application(),
                    one.spec().rows(),
                    other.application(),
                    other.spec().rows()));
    boolean parted = false;
    int compared = 0;
    for (long epoch = 0; epoch <= last() && !parted; epoch++) {
      Optional<EpochRecord> mine = one.epoch(epoch);
      Optional<EpochRecord> theirs = other.epoch(epoch);
      if (mine.isPresent() && theirs.isPresent()) {
        compared++;
        parted = epochs(mine.get(), theirs.get());
      } else {
        List<BlockPair> pairs = pairs(epoch);
        compared += pairs.size();
        parted = blocks(epoch, pairs);
        if (!parted && !pairs.isEmpty()) {
          findings.note(
              "equal      epoch %d, %d stretches of steps up to step %d"
                  .formatted(epoch, pairs.size(), pairs.get(pairs.size() - 1).one().to()));
        }
      }
    }
    if (compared == 0) {
      findings.difference("nothing to compare: the jobs have no finished epoch or block in common");
    }
  }

  private long last() {
    return Math.min(one.agreed().cursor().epoch(), other.agreed().cursor().epoch());
  }

  private List<BlockPair> pairs(long epoch) {
    return BlockPair.of(one.blocks(epoch), other.blocks(epoch));
  }

  private boolean epochs(EpochRecord mine, EpochRecord theirs) {
    String what = "epoch " + mine.epoch();
    findings.digest(what, "order", mine.order().hex(), theirs.order().hex());
    boolean values = BlockPair.valuesEqual(mine.values(), theirs.values());
    if (!values || mine.values().equals(theirs.values())) {
      findings.digest(what, "values", mine.values().hex(), theirs.values().hex());
    } else {
      findings.note("unknown    " + what + ": values digests were off in one of the jobs");
    }
    if (values && mine.order().equals(theirs.order())) {
      return false;
    }
    if (!blocks(mine.epoch(), pairs(mine.epoch()))) {
      findings.note(
          "           the jobs have no block of epoch %d in common that differs"
              .formatted(mine.epoch()));
      if (!mine.order().equals(theirs.order())) {
        order(mine.epoch(), 0, Math.min(mine.steps(), theirs.steps()));
      }
    }
    return true;
  }

  private boolean blocks(long epoch, List<BlockPair> pairs) {
    for (BlockPair pair : pairs) {
      Block block = pair.one();
      boolean orders = pair.ordersEqual();
      if (orders && pair.valuesEqual()) {
        continue;
      }
      findings.difference(
          "they part in epoch %d, steps %d:%d: %s"
              .formatted(
                  epoch, block.from(), block.to(), orders ? "other values" : "another order"));
      if (!orders) {
        order(epoch, block.from(), block.to());
      } else {
        values(pair);
      }
      return true;
    }
    return false;
  }

  private void order(long epoch, long from, long to) {
    Plan mine = one.prepared().plan();
    Plan theirs = other.prepared().plan();
    GlobalOrder ones = new GlobalOrder(mine.epoch(epoch), Math.min(from, mine.steps()));
    GlobalOrder others = new GlobalOrder(theirs.epoch(epoch), Math.min(from, theirs.steps()));
    for (long step = from; step < to && ones.hasNext() && others.hasNext(); step++) {
      GlobalBatch a = ones.next();
      GlobalBatch b = others.next();
      if (a.rows().length != b.rows().length) {
        findings.difference(
            "step %d: batches of %d and %d rows".formatted(step, a.rows().length, b.rows().length));
        return;
      }
      for (int i = 0; i < a.rows().length; i++) {
        if (a.rows()[i] != b.rows()[i]) {
          findings.difference(
              "step %d, position %d: row %s and row %s"
                  .formatted(
                      step, a.firstPosition() + i, row(one, a.rows()[i]), row(other, b.rows()[i])));
          return;
        }
      }
    }
    wrong(one, epoch, from, to);
    wrong(other, epoch, from, to);
  }

  /** The plans agree, so one of the jobs did not deliver what its plan says. */
  private void wrong(RecordedFeed feed, long epoch, long from, long to) {
    String planned = PlannedOrder.digest(feed.prepared().plan(), epoch, from, to).hex();
    findings.note(
        "           by its plan %s has order %s in steps %d:%d"
            .formatted(feed.application(), planned, from, to));
  }

  private static String row(RecordedFeed feed, long row) {
    Plan plan = feed.prepared().plan();
    int low = 0;
    int high = plan.rowGroups() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (plan.firstRowOf(middle) <= row) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    RowGroupRef group = feed.prepared().catalog().ref(low);
    return "%d (file %s, row group %d, row %d)"
        .formatted(row, group.path(), group.ordinal(), row - plan.firstRowOf(low));
  }

  private void values(BlockPair pair) {
    Block block = pair.one();
    try {
      Optional<String> found =
          again.firstDifference(one, other, block.epoch(), block.from(), block.to());
      if (found.isPresent()) {
        findings.difference(found.get());
        return;
      }
      String now = again.digests(one, block.epoch(), block.from(), block.to()).values().hex();
      findings.note(
          "           both jobs' data are the same now, with values %s: those of %s"
              .formatted(now, whose(pair, now)));
    } catch (PenstockException e) {
      findings.note("           the data can't be read again: " + e.getMessage());
    }
  }

  private String whose(BlockPair pair, String now) {
    if (now.equals(pair.one().sums().values().hex())) {
      return one.application();
    }
    return now.equals(pair.other().sums().values().hex()) ? other.application() : "neither job";
  }
}
