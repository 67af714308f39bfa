package io.penstock.am.core;

import io.penstock.coordination.records.Agreed;
import io.penstock.coordination.records.Agreed.Carried;
import io.penstock.coordination.records.Commit;
import io.penstock.coordination.records.EpochRecord;
import io.penstock.coordination.records.Phase;
import io.penstock.coordination.records.RankEpoch;
import io.penstock.coordination.records.RankProgress;
import io.penstock.coordination.records.Sums;
import io.penstock.model.Cursor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The account of what a feed's ranks have delivered for good.
 *
 * <h2>Agreeing</h2>
 *
 * Ranks may commit at different steps, and what lies between two commits of a rank is not known
 * apart. So the agreed cursor is the greatest one that every rank has a commit at; it is never
 * beyond the least of the ranks' newest commits, and is that one where all commit at the same
 * steps.
 *
 * <h2>Counting each position once</h2>
 *
 * A rank counts from where its generation began. The sums of an epoch are those that the
 * generations before had agreed on when this one began ({@code startSums}, for the epoch that it
 * began in), and those of its ranks. What a rank delivered beyond the agreed cursor is dropped when
 * a new generation begins there, and shows as delivered again. Nothing here depends on the number
 * of ranks being the same in two generations.
 */
final class FeedLedger {
  private final FeedPlan plan;
  private Agreed agreed;

  /** By rank; the newest of this generation, or null. */
  private RankProgress[] latest;

  /** What the ledger comes to after some progress. */
  record Advance(List<EpochRecord> finished, Agreed agreed) {}

  FeedLedger(FeedPlan plan, Agreed agreed) {
    this.plan = plan;
    this.agreed = agreed;
    this.latest = new RankProgress[agreed.ranks()];
  }

  Agreed agreed() {
    return agreed;
  }

  Cursor end() {
    return new Cursor(plan.epochs(), 0);
  }

  /** Whether every step was committed by all and every rank has said that it is done. */
  boolean isComplete() {
    if (latest.length == 0 || !agreed.cursor().equals(end())) {
      return false;
    }
    for (RankProgress progress : latest) {
      if (progress == null || progress.phase() != Phase.DONE) {
        return false;
      }
    }
    return true;
  }

  /** Share of the job's steps that the slowest rank has got, 0 to 1. */
  double share() {
    Cursor least = agreed.cursor();
    boolean all = latest.length > 0;
    for (RankProgress progress : latest) {
      all &= progress != null;
    }
    if (all) {
      for (RankProgress progress : latest) {
        least =
            progress == latest[0] || progress.cursor().compareTo(least) < 0
                ? progress.cursor()
                : least;
      }
    }
    double steps = (double) least.epoch() * plan.steps() + least.step();
    return Math.min(1, steps / ((double) plan.epochs() * plan.steps()));
  }

  /**
   * Ends the generation at work at the agreed cursor: nothing that is told of it counts any more.
   */
  void endGeneration() {
    begin(agreed.generation(), agreed.ranks());
    latest = new RankProgress[0];
  }

  /** Begins a generation of {@code ranks} ranks at the agreed cursor. */
  Agreed begin(int generation, int ranks) {
    agreed =
        new Agreed(
            generation,
            ranks,
            agreed.cursor(),
            agreed.sums(),
            agreed.cursor(),
            agreed.sums(),
            carried());
    latest = new RankProgress[ranks];
    return agreed;
  }

  /**
   * Takes in what a rank wrote.
   *
   * @return what has changed, if the ranks now agree on more
   * @throws IllegalStateException if the ranks' sums can't be true
   */
  Optional<Advance> progress(RankProgress progress) {
    int rank = progress.rank();
    if (progress.generation() != agreed.generation()
        || progress.ranks() != latest.length
        || rank < 0
        || rank >= latest.length) {
      return Optional.empty();
    }
    RankProgress before = latest[rank];
    latest[rank] = progress;
    if (before != null && before.commits().equals(progress.commits())) {
      return Optional.empty();
    }
    return commonCursor().map(this::advance);
  }

  private Optional<Cursor> commonCursor() {
    for (RankProgress progress : latest) {
      if (progress == null
          || progress.committed().filter(c -> c.compareTo(agreed.cursor()) > 0).isEmpty()) {
        return Optional.empty();
      }
    }
    Set<Cursor> common = null;
    for (RankProgress progress : latest) {
      Set<Cursor> cursors = new HashSet<>();
      for (Commit commit : progress.commits()) {
        if (commit.cursor().compareTo(agreed.cursor()) > 0) {
          cursors.add(commit.cursor());
        }
      }
      if (common == null) {
        common = cursors;
      } else {
        common.retainAll(cursors);
      }
    }
    return common.stream().max(Cursor::compareTo);
  }

  private Advance advance(Cursor to) {
    if (to.compareTo(end()) > 0) {
      throw new IllegalStateException("ranks committed beyond the end: " + to + " > " + end());
    }
    List<EpochRecord> finished = new ArrayList<>();
    for (long epoch = agreed.cursor().epoch(); epoch < to.epoch(); epoch++) {
      finished.add(finished(epoch));
    }
    Sums sums = Sums.NONE;
    if (to.step() > 0) {
      sums = base(to.epoch());
      for (RankProgress progress : latest) {
        sums = sums.plus(commitAt(progress, to).sums());
      }
    }
    checkRows(to.epoch(), to.step(), sums);
    List<Carried> carried =
        agreed.carried().stream().filter(spent -> spent.epoch() >= to.epoch()).toList();
    agreed =
        new Agreed(
            agreed.generation(),
            agreed.ranks(),
            agreed.start(),
            agreed.startSums(),
            to,
            sums,
            carried);
    return new Advance(finished, agreed);
  }

  private EpochRecord finished(long epoch) {
    Sums sums = base(epoch);
    double seconds = 0;
    double rankSeconds = 0;
    double waitSeconds = 0;
    List<Double> losses = new ArrayList<>();
    for (RankProgress progress : latest) {
      RankEpoch part =
          progress.epochs().stream()
              .filter(of -> of.epoch() == epoch)
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalStateException(
                          "rank %d committed beyond epoch %d and has no sums of it"
                              .formatted(progress.rank(), epoch)));
      sums = sums.plus(part.sums());
      seconds = Math.max(seconds, part.seconds());
      rankSeconds += part.seconds();
      waitSeconds += part.waitSeconds();
      part.loss().ifPresent(losses::add);
    }
    checkRows(epoch, plan.steps(), sums);
    Carried before = carriedOf(epoch);
    double allSeconds = before.rankSeconds() + rankSeconds;
    return new EpochRecord(
        epoch,
        plan.steps(),
        sums.rows(),
        sums.padding(),
        before.seconds() + seconds,
        allSeconds > 0 ? (before.waitSeconds() + waitSeconds) / allSeconds : 0,
        sums.fromStorage(),
        sums.fromCache(),
        sums.order(),
        sums.values(),
        before.deliveredAgain(),
        losses);
  }

  private void checkRows(long epoch, long steps, Sums sums) {
    long wanted = Math.multiplyExact(steps, (long) plan.batch());
    if (sums.rows() != wanted) {
      throw new IllegalStateException(
          "the ranks' sums over %d steps of epoch %d must have %d rows: rows=%d"
              .formatted(steps, epoch, wanted, sums.rows()));
    }
  }

  /** What generations before this one had agreed on in an epoch. */
  private Sums base(long epoch) {
    return epoch == agreed.start().epoch() ? agreed.startSums() : Sums.NONE;
  }

  private static Commit commitAt(RankProgress progress, Cursor cursor) {
    return progress.commits().stream()
        .filter(commit -> commit.cursor().equals(cursor))
        .findFirst()
        .orElseThrow();
  }

  private Carried carriedOf(long epoch) {
    return agreed.carried().stream()
        .filter(spent -> spent.epoch() == epoch)
        .findFirst()
        .orElse(Carried.none(epoch));
  }

  /** What was spent on unfinished epochs, this generation included. */
  private List<Carried> carried() {
    Map<Long, Carried> spent = new TreeMap<>();
    agreed.carried().forEach(part -> spent.put(part.epoch(), part));
    Map<Long, Long> delivered = new TreeMap<>();
    Map<Long, Carried> now = new TreeMap<>();
    for (RankProgress progress : latest) {
      if (progress == null) {
        continue;
      }
      for (RankEpoch part : progress.epochs()) {
        long epoch = part.epoch();
        if (epoch < agreed.cursor().epoch()) {
          continue;
        }
        delivered.merge(epoch, part.sums().rows(), Long::sum);
        Carried so = now.getOrDefault(epoch, Carried.none(epoch));
        now.put(
            epoch,
            new Carried(
                epoch,
                Math.max(so.seconds(), part.seconds()),
                so.rankSeconds() + part.seconds(),
                so.waitSeconds() + part.waitSeconds(),
                0));
      }
    }
    now.forEach(
        (epoch, part) -> {
          long counted = 0;
          if (epoch == agreed.cursor().epoch()) {
            counted = agreed.sums().rows() - base(epoch).rows();
          }
          // A rank that has not reported its last commits yet may count less than was agreed on.
          long again = Math.max(0, delivered.get(epoch) - counted);
          spent.merge(
              epoch,
              new Carried(epoch, part.seconds(), part.rankSeconds(), part.waitSeconds(), again),
              Carried::plus);
        });
    return List.copyOf(spent.values());
  }
}
