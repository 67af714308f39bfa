package io.penstock.cli.commands;

import io.penstock.catalog.CatalogChanges;
import io.penstock.cli.past.BlockPair;
import io.penstock.cli.past.PlannedOrder;
import io.penstock.cli.past.RecordedFeed;
import io.penstock.coordination.records.EpochRecord;
import io.penstock.coordination.records.Quarantined;
import io.penstock.coordination.records.Sums;
import io.penstock.feed.DatasetSpec.BadRowGroup;
import io.penstock.history.Block;
import io.penstock.model.Cursor;
import io.penstock.model.DataException;
import io.penstock.model.UnreachableException;
import io.penstock.model.UsageException;
import io.penstock.plan.Plan;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A feed of one job beside the contract, and beside the data as they are now.
 *
 * @param prefix of what the findings are about
 */
record FeedProof(RecordedFeed feed, String prefix, Findings findings) {
  private static final int CHANGES_SHOWN = 10;
  private static final int ROW_GROUPS_SHOWN = 10;

  /** Recomputes all that was committed, without the data. */
  void order() {
    feed.origin()
        .ifPresent(
            from ->
                findings.note(
                    "           %swent on from %s at %s"
                        .formatted(prefix, from.application(), from.cursor())));
    quarantined();
    for (EpochRecord done : feed.epochs()) {
      Sums sums =
          new Sums(
              done.rows(),
              done.padding(),
              done.fromStorage(),
              done.fromCache(),
              done.order(),
              done.values());
      steps("epoch " + done.epoch(), done.epoch(), feed.prepared().plan().steps(), sums);
      if (done.deliveredAgain() > 0) {
        findings.note(
            "           %srestarts delivered %d rows of it again; each position counts once"
                .formatted(prefix, done.deliveredAgain()));
      }
    }
    Cursor cursor = feed.agreed().cursor();
    if (cursor.step() > 0) {
      String what = "epoch %d, steps 0:%d".formatted(cursor.epoch(), cursor.step());
      steps(what, cursor.epoch(), cursor.step(), feed.agreed().sums());
    }
    if (feed.epochs().isEmpty() && cursor.step() == 0) {
      findings.note(prefix + "nothing was committed yet");
    }
  }

  private void steps(String what, long epoch, long to, Sums found) {
    PlannedOrder planned =
        PlannedOrder.of(feed.prepared().plan(), feed.quarantined(), epoch, 0, to);
    findings.digest(prefix + what, "order", planned.digest().hex(), found.order().hex());
    bad(what, planned.bad(), bad(found));
    if (!planned.digest().equals(found.order())) {
      firstBlock(epoch);
    }
  }

  private static long bad(Sums sums) {
    return sums.rows() - sums.padding() - sums.fromStorage() - sums.fromCache();
  }

  /** Rows that the job delivered as not valid beside those that it should have. */
  private void bad(String what, long expected, long found) {
    if (!isQuarantining()) {
      return;
    }
    if (feed.quarantined().complete()) {
      findings.count(prefix + what, "rows quarantined", expected, found);
    } else {
      findings.note(
          "unknown    %s%s: rows quarantined %d; the record does not list all row groups"
              .formatted(prefix, what, found));
    }
  }

  private boolean isQuarantining() {
    return feed.prepared().feed().dataset().badRowGroup() == BadRowGroup.QUARANTINE;
  }

  private void quarantined() {
    List<Quarantined> bad = feed.quarantined().rowGroups();
    for (Quarantined one : bad.subList(0, Math.min(ROW_GROUPS_SHOWN, bad.size()))) {
      findings.note("quarantined " + one.told(feed.name()));
    }
    if (bad.size() > ROW_GROUPS_SHOWN) {
      findings.note("quarantined and %d more row groups".formatted(bad.size() - ROW_GROUPS_SHOWN));
    }
  }

  private void firstBlock(long epoch) {
    Plan plan = feed.prepared().plan();
    for (Block block : feed.blocks(epoch)) {
      if (!PlannedOrder.digest(plan, epoch, block.from(), block.to())
          .equals(block.sums().order())) {
        findings.difference(
            "%sthe first block that differs: epoch %d, steps %d:%d"
                .formatted(prefix, epoch, block.from(), block.to()));
        return;
      }
    }
    findings.note("           none of the blocks that are known differs");
  }

  /** Reads the data of some steps, and of the rest of their blocks, again. */
  void deep(StepRange range, long epoch, ReadAgain again) {
    range.check(feed.prepared().plan().steps());
    List<Block> blocks =
        feed.blocks(epoch).stream()
            .filter(b -> b.to() > range.first() && b.from() < range.end())
            .toList();
    if (blocks.isEmpty()) {
      throw new UsageException(
          "job %s has no block of epoch %d with any of the steps %d:%d; it committed up to %s"
              .formatted(
                  feed.application(), epoch, range.first(), range.end(), feed.agreed().cursor()));
    }
    quarantined();
    boolean unchanged = changes(again).isEmpty();
    Map<Block, ReadAgain.Digests> read = new TreeMap<>(FeedProof::byStep);
    try {
      again.each(
          feed,
          epoch,
          blocks.get(0).from(),
          blocks.get(blocks.size() - 1).to(),
          slot -> {
            long step = slot.record().step();
            for (Block block : blocks) {
              if (block.from() <= step && step < block.to()) {
                read.put(block, read.getOrDefault(block, ReadAgain.Digests.NONE).plus(slot));
              }
            }
          });
    } catch (DataException | UnreachableException e) {
      if (unchanged && e instanceof UnreachableException) {
        throw e;
      }
      findings.difference(prefix + "the data can't be read again: " + e.getMessage());
      return;
    }
    read.forEach(this::block);
  }

  private void block(Block block, ReadAgain.Digests digests) {
    String what = "epoch %d, steps %d:%d".formatted(block.epoch(), block.from(), block.to());
    findings.digest(prefix + what, "order", digests.order().hex(), block.sums().order().hex());
    if (BlockPair.valuesEqual(block.sums().values(), digests.values())
        && !block.sums().values().equals(digests.values())) {
      findings.note("unknown    " + prefix + what + ": values digests were off");
    } else {
      findings.digest(prefix + what, "values", digests.values().hex(), block.sums().values().hex());
    }
    bad(what, digests.bad(), bad(block.sums()));
  }

  private static int byStep(Block a, Block b) {
    return Long.compare(a.from(), b.from());
  }

  private List<String> changes(ReadAgain again) {
    List<String> changes =
        CatalogChanges.of(
            feed.prepared().catalog(), again.configuration(), again.settings().catalog());
    changes.stream().limit(CHANGES_SHOWN).map(prefix::concat).forEach(findings::difference);
    if (changes.size() > CHANGES_SHOWN) {
      findings.difference("and %d more files".formatted(changes.size() - CHANGES_SHOWN));
    }
    return changes;
  }
}
