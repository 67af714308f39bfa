package io.penstock.am.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.am.core.Event;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.PreemptionContainer;
import org.apache.hadoop.yarn.api.records.PreemptionContract;
import org.apache.hadoop.yarn.api.records.PreemptionMessage;
import org.apache.hadoop.yarn.api.records.StrictPreemptionContract;
import org.junit.jupiter.api.Test;

class PreemptionMessagesTest {
  private static final String ONE = "container_1700000000000_0001_01_000002";
  private static final String TWO = "container_1700000000000_0001_01_000003";

  private static Set<PreemptionContainer> containers(String name) {
    return Set.of(PreemptionContainer.newInstance(ContainerId.fromString(name)));
  }

  @Test
  void bothContractsAreRead() {
    assertEquals(
        new Event.PreemptionAhead(Set.of(ONE), Set.of(TWO)),
        PreemptionMessages.event(
            PreemptionMessage.newInstance(
                StrictPreemptionContract.newInstance(containers(ONE)),
                PreemptionContract.newInstance(List.of(), containers(TWO)))));
  }

  @Test
  void eitherContractMayBeMissing() {
    assertEquals(
        new Event.PreemptionAhead(Set.of(ONE), Set.of()),
        PreemptionMessages.event(
            PreemptionMessage.newInstance(
                StrictPreemptionContract.newInstance(containers(ONE)), null)));
    assertEquals(
        new Event.PreemptionAhead(Set.of(), Set.of()),
        PreemptionMessages.event(PreemptionMessage.newInstance(null, null)));
  }
}
