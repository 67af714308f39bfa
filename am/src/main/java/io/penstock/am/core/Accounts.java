package io.penstock.am.core;

import io.penstock.coordination.records.Agreed;
import io.penstock.coordination.records.Quarantined;
import io.penstock.coordination.records.RankProgress;
import io.penstock.model.Cursor;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What the ranks of all feeds have delivered for good, and what they could not read. */
final class Accounts {
  private final Outbox out;
  private final Map<String, FeedLedger> ledgers = new TreeMap<>();
  private final Map<String, Quarantine> quarantines = new TreeMap<>();

  /**
   * @param agreed by feed, as earlier attempts left it
   */
  Accounts(Map<String, FeedPlan> feeds, Map<String, Agreed> agreed, Outbox out) {
    this.out = out;
    feeds.forEach(
        (name, plan) -> {
          ledgers.put(name, new FeedLedger(plan, agreed.getOrDefault(name, Agreed.NOTHING)));
          quarantines.put(name, new Quarantine(plan));
        });
  }

  Set<String> feeds() {
    return ledgers.keySet();
  }

  /**
   * Takes in what a rank wrote, and records what follows from it.
   *
   * @return why the job can't go on, if it can't
   */
  Optional<String> progress(String feed, RankProgress progress) {
    try {
      ledgers
          .get(feed)
          .progress(progress)
          .ifPresent(
              advance -> {
                advance.finished().forEach(epoch -> out.add(new Action.WriteEpoch(feed, epoch)));
                out.add(new Action.WriteAgreed(feed, advance.agreed()));
              });
    } catch (IllegalStateException e) {
      return Optional.of("feed " + feed + ": " + e.getMessage());
    }
    Quarantine quarantine = quarantines.get(feed);
    List<Quarantined> fresh = quarantine.add(progress);
    quarantine.words(feed, fresh).forEach(line -> out.decide(Quarantined.DECISION, line));
    return !fresh.isEmpty() && quarantine.isTooMuch()
        ? Optional.of(quarantine.tooMuch(feed))
        : Optional.empty();
  }

  /** Begins a generation of a feed at its agreed cursor. */
  void begin(String feed, int generation, int ranks) {
    out.add(new Action.RemoveRanks(feed, ranks));
    out.add(new Action.WriteAgreed(feed, ledgers.get(feed).begin(generation, ranks)));
  }

  /** Ends a generation of a feed; how many ranks the next has is not known yet. */
  void endGeneration(String feed) {
    ledgers.get(feed).endGeneration();
  }

  /** Ranks of the feed's last generation, 0 if there was none. */
  int ranks(String feed) {
    return ledgers.get(feed).agreed().ranks();
  }

  Cursor cursor(String feed) {
    return ledgers.get(feed).agreed().cursor();
  }

  /** The agreed cursors, {@code feed=epoch:step}. */
  String cursors() {
    return ledgers.keySet().stream()
        .map(feed -> feed + "=" + cursor(feed))
        .collect(Collectors.joining(" "));
  }

  boolean isComplete(String feed) {
    return ledgers.get(feed).isComplete();
  }

  boolean allComplete() {
    Collection<FeedLedger> all = ledgers.values();
    return all.stream().allMatch(FeedLedger::isComplete);
  }

  /** Share of all feeds' steps that were delivered, 0 to 1. */
  double share() {
    return ledgers.values().stream().mapToDouble(FeedLedger::share).average().orElse(0);
  }
}
