package io.penstock.am.core;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the ResourceManager has said that it takes away.
 *
 * <p>The FairScheduler says so with every heartbeat until the container is gone. The
 * CapacityScheduler says so once; if nobody wants the container any more it stays, and may be named
 * anew much later. So a container is news when it was not named for {@value #QUIET_MILLIS} ms.
 */
final class Preemption {
  private static final long QUIET_MILLIS = 10_000;

  private final String own;

  /** When each was last named. */
  private final Map<String, Long> named = new HashMap<>();

  /**
   * @param own the ApplicationMaster's container
   */
  Preemption(String own) {
    this.own = own;
  }

  /** Begins a generation, of other containers. */
  void forget() {
    named.clear();
  }

  /**
   * What is news of a message, in words; empty if nothing is.
   *
   * @param members of the generation at work; other containers matter to no step
   */
  String news(Event.PreemptionAhead ahead, Collection<Member> members, long now) {
    return Stream.of(
            sentence("takes away", ahead.strict(), members, now),
            sentence("may take away", ahead.negotiable(), members, now))
        .filter(words -> !words.isEmpty())
        .collect(Collectors.joining("; "));
  }

  private String sentence(
      String does, Set<String> containers, Collection<Member> members, long now) {
    String whom =
        Stream.concat(
                containers.contains(own) && isNews(own, now)
                    ? Stream.of("the ApplicationMaster in " + own)
                    : Stream.empty(),
                members.stream()
                    .filter(Member::hasContainer)
                    .filter(member -> containers.contains(member.container))
                    .filter(member -> isNews(member.container, now))
                    .map(Member::words))
            .collect(Collectors.joining(", "));
    return whom.isEmpty() ? "" : "the ResourceManager " + does + " " + whom;
  }

  private boolean isNews(String container, long now) {
    Long last = named.put(container, now);
    return last == null || now - last >= QUIET_MILLIS;
  }
}
