package io.penstock.am.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The crews of all feeds; those of feeds that are complete take no part in a generation. */
final class Crews {
  private final Outbox out;
  private final Map<String, Crew> all = new TreeMap<>();
  private List<Crew> atWork = List.of();
  private int generation;
  private long asks;

  Crews(Map<String, FeedPlan> feeds, Outbox out) {
    this.out = out;
    feeds.forEach((name, plan) -> all.put(name, new Crew(name, plan, out, this::nextAsk)));
  }

  private long nextAsk() {
    return ((long) generation << 20) + ++asks;
  }

  /** Begins a generation of the feeds that are not complete; those that are need nothing more. */
  List<Crew> begin(int number, Predicate<String> isComplete) {
    generation = number;
    asks = 0;
    List<Crew> incomplete = new ArrayList<>();
    for (Crew crew : all.values()) {
      if (isComplete.test(crew.feed())) {
        crew.releaseSpares();
      } else {
        incomplete.add(crew);
      }
    }
    atWork = List.copyOf(incomplete);
    return atWork;
  }

  /** Of the generation at work, by feed. */
  List<Crew> atWork() {
    return atWork;
  }

  Crew of(String feed) {
    return all.get(feed);
  }

  /** Those of the generation at work that have a rank, by feed and rank. */
  List<Member> members() {
    return atWork.stream().flatMap(crew -> crew.members().stream()).toList();
  }

  Optional<Member> member(String container) {
    return members().stream().filter(member -> member.container.equals(container)).findFirst();
  }

  /** The crew that takes a container it has asked for. */
  Optional<Crew> allocated(Event.Allocated granted) {
    Optional<Crew> taker = atWork.stream().filter(crew -> crew.allocated(granted)).findFirst();
    if (taker.isEmpty()) {
      out.add(new Action.Release(granted.container()));
    }
    return taker;
  }

  /** The crew for which a container waited that has ended, or is given back. */
  Optional<Crew> lostSpare(String container) {
    return atWork.stream().filter(crew -> crew.lostSpare(container)).findFirst();
  }

  boolean allAlive() {
    return atWork.stream().allMatch(Crew::isAlive);
  }

  boolean anyShort() {
    return atWork.stream().anyMatch(Crew::isShort);
  }

  boolean anyHasContainer() {
    return members().stream().anyMatch(Member::hasContainer);
  }

  boolean allGone() {
    return members().stream().allMatch(member -> member.stage == Member.Stage.GONE);
  }

  void stopAsking() {
    atWork.forEach(Crew::stopAsking);
  }

  void renewSpares() {
    atWork.forEach(Crew::renewSpares);
  }

  void releaseSpares() {
    all.values().forEach(Crew::releaseSpares);
  }

  /** {@code 3 of at least 4}: containers that there are, and how many are needed. */
  String heldOfNeeded() {
    boolean fixed = atWork.stream().allMatch(crew -> crew.plan().ranks().fixed());
    return "%d of %s%d"
        .formatted(
            atWork.stream().mapToInt(Crew::held).sum(),
            fixed ? "" : "at least ",
            atWork.stream().mapToInt(crew -> crew.plan().leastRanks()).sum());
  }

  /** What there could be more of; empty if there is nothing. */
  String shortages() {
    return atWork.stream()
        .flatMap(crew -> crew.shortage().stream())
        .collect(Collectors.joining("; "));
  }

  /** {@code feed train: 2 epochs of 4 steps to 2 ranks}, for all feeds. */
  String plans() {
    return all.values().stream()
        .map(
            crew ->
                "feed %s: %d epochs of %d steps to %s ranks"
                    .formatted(
                        crew.feed(),
                        crew.plan().epochs(),
                        crew.plan().steps(),
                        crew.plan().ranks()))
        .collect(Collectors.joining("; "));
  }
}
