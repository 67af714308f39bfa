package io.penstock.am.core;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * The containers of one feed: those that ranks fill, those that wait, and those that YARN still
 * owes.
 *
 * <h2>How many ranks</h2>
 *
 * YARN is asked for as many containers as the feed may have ranks. The fewest ranks that it can go
 * on with are filled as containers come, for they are needed whatever the number will be. Further
 * containers wait as {@link Spare}s, with nothing running in them, until the number is chosen: when
 * all have come, or when the time for that is over. Where the number of ranks is fixed, the fewest
 * are all, and nothing waits.
 *
 * <h2>Growing back</h2>
 *
 * What YARN still owes after that comes as spares too, and they are the first that the next
 * generation fills. A container that was never started is taken back by YARN after some minutes, so
 * a spare is given back and asked for anew in good time.
 */
final class Crew {
  private final String feed;
  private final FeedPlan plan;
  private final Outbox out;
  private final LongSupplier askNumbers;

  private final Map<Integer, Member> members = new TreeMap<>();

  /** The rank that each was made for. */
  private final Map<Long, Integer> asks = new LinkedHashMap<>();

  private final Deque<Spare> spares = new ArrayDeque<>();
  private int generation;

  /** 0 until it is chosen. */
  private int ranks;

  /**
   * @param askNumbers a number for every ask
   */
  Crew(String feed, FeedPlan plan, Outbox out, LongSupplier askNumbers) {
    this.feed = feed;
    this.plan = plan;
    this.out = out;
    this.askNumbers = askNumbers;
  }

  /** Begins a generation: fills ranks with what waits, and asks for what is missing. */
  void begin(int number) {
    generation = number;
    ranks = plan.ranks().fixed() ? plan.ranks().max() : 0;
    members.clear();
    asks.clear();
    int least = plan.leastRanks();
    for (int rank = 0; rank < least; rank++) {
      addMember(rank);
    }
    for (Member member : members.values()) {
      if (spares.isEmpty()) {
        ask(member.slot.rank());
      } else {
        launch(member, spares.remove());
      }
    }
    for (int rank = least + spares.size(); rank < plan.ranks().max(); rank++) {
      ask(rank);
    }
  }

  /**
   * Takes a container that was asked for here.
   *
   * @return false if it was not
   */
  boolean allocated(Event.Allocated granted) {
    Integer rank = asks.remove(granted.ask());
    if (rank == null) {
      return false;
    }
    out.add(new Action.Withdraw(granted.ask()));
    Spare container =
        new Spare(granted.container(), granted.host(), out.now(), granted.startable());
    unfilled(rank)
        .ifPresentOrElse(member -> launch(member, container), () -> spares.add(container));
    return true;
  }

  private Optional<Member> unfilled(int preferred) {
    Member wanted = members.get(preferred);
    return wanted != null && wanted.stage == Member.Stage.ASKED
        ? Optional.of(wanted)
        : members.values().stream().filter(m -> m.stage == Member.Stage.ASKED).findFirst();
  }

  /**
   * Chooses the number of ranks for the containers that have come, and fills them.
   *
   * @return empty if there are too few
   */
  OptionalInt choose() {
    OptionalInt chosen = plan.ranks().choose(held(), plan.batch(), plan.lanes());
    if (chosen.isPresent()) {
      ranks = chosen.getAsInt();
      for (int rank = members.size(); rank < ranks; rank++) {
        launch(addMember(rank), spares.remove());
      }
    }
    return chosen;
  }

  /** Whether the number of ranks of this generation is known. */
  boolean isChosen() {
    return ranks > 0;
  }

  /** Whether all containers have come that there can be ranks. */
  boolean hasAll() {
    return held() == plan.ranks().max();
  }

  /** Whether ranks wait for YARN. */
  boolean isShort() {
    return !isChosen() || members.values().stream().anyMatch(m -> m.stage == Member.Stage.ASKED);
  }

  /** Whether every rank's container has registered. */
  boolean isAlive() {
    return isChosen() && members.values().stream().allMatch(m -> m.stage == Member.Stage.ALIVE);
  }

  /** Containers that there are, filled or waiting. */
  int held() {
    return spares.size() + (int) members.values().stream().filter(Member::hasContainer).count();
  }

  int ranks() {
    return ranks;
  }

  String feed() {
    return feed;
  }

  FeedPlan plan() {
    return plan;
  }

  /** Those that have a rank, by rank. */
  Collection<Member> members() {
    return List.copyOf(members.values());
  }

  Optional<Member> member(int rank) {
    return Optional.ofNullable(members.get(rank));
  }

  /**
   * A container that may wait here has ended, or is given back; nothing ran in it.
   *
   * @return whether it did wait here
   */
  boolean lostSpare(String container) {
    return spares.removeIf(spare -> spare.container().equals(container));
  }

  /** Asks for a container in place of a spare that is gone. */
  void askAgain() {
    ask(members.size() + spares.size());
  }

  /** Gives back the spares that YARN would soon not let be started, and asks for others. */
  void renewSpares() {
    for (Spare spare : List.copyOf(spares)) {
      Duration waited = Duration.ofMillis(out.now() - spare.since());
      if (waited.compareTo(spare.startable().dividedBy(2)) >= 0) {
        spares.remove(spare);
        out.add(new Action.Release(spare.container()));
        askAgain();
      }
    }
  }

  /** Takes back what YARN still owes. */
  void stopAsking() {
    for (Member member : members.values()) {
      if (member.stage == Member.Stage.ASKED) {
        member.stage = Member.Stage.GONE;
      }
    }
    asks.keySet().forEach(ask -> out.add(new Action.Withdraw(ask)));
    asks.clear();
  }

  /** Gives back what waits. */
  void releaseSpares() {
    spares.forEach(spare -> out.add(new Action.Release(spare.container())));
    spares.clear();
  }

  /** {@code feed train has 3 ranks of 2:4}, if it could have more. */
  Optional<String> shortage() {
    if (ranks == plan.ranks().max()) {
      return Optional.empty();
    }
    String waiting =
        spares.isEmpty() ? "" : ", %d more at the next restart".formatted(spares.size());
    return Optional.of(
        "feed %s has %d ranks of %s%s".formatted(feed, ranks, plan.ranks(), waiting));
  }

  private Member addMember(int rank) {
    Member member = new Member(new Slot(feed, rank), out.now());
    members.put(rank, member);
    return member;
  }

  private void ask(int rank) {
    long ask = askNumbers.getAsLong();
    asks.put(ask, rank);
    out.add(new Action.Ask(new Slot(feed, rank), ask));
  }

  private void launch(Member member, Spare container) {
    member.stage = Member.Stage.LAUNCHED;
    member.since = out.now();
    member.container = container.container();
    member.host = container.host();
    out.add(new Action.Launch(member.container, member.slot, generation));
  }
}
