package io.penstock.am.core;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the ResourceManager has said that it takes away. It says so with every heartbeat until the
 * container is gone, so each is news once a generation.
 */
final class Preemption {
  private final Set<String> told = new HashSet<>();

  /** Begins a generation, of other containers. */
  void forget() {
    told.clear();
  }

  /**
   * The ranks that it is news for, in words; empty if there are none.
   *
   * @param containers that are named
   * @param members of the generation at work
   */
  String news(Set<String> containers, Collection<Member> members) {
    return members.stream()
        .filter(Member::hasContainer)
        .filter(member -> containers.contains(member.container))
        .filter(member -> told.add(member.container))
        .map(Member::words)
        .collect(Collectors.joining(", "));
  }
}
