package io.penstock.am.cluster;

import io.penstock.am.core.Event;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.PreemptionContainer;
import org.apache.hadoop.yarn.api.records.PreemptionMessage;

/**
 * What a preemption message means: the containers of its strict contract will be taken, those of
 * the other unless as much is given back otherwise. Either contract may be missing.
 */
final class PreemptionMessages {
  private PreemptionMessages() {}

  static Event.PreemptionAhead event(PreemptionMessage message) {
    return new Event.PreemptionAhead(
        message.getStrictContract() == null
            ? Set.of()
            : names(message.getStrictContract().getContainers()),
        message.getContract() == null ? Set.of() : names(message.getContract().getContainers()));
  }

  private static Set<String> names(Set<PreemptionContainer> containers) {
    return containers == null
        ? Set.of()
        : containers.stream()
            .map(container -> container.getId().toString())
            .collect(Collectors.toSet());
  }
}
