package io.penstock.cli.commands;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.cli.console.Amounts;
import io.penstock.plan.EpochSummary;
import io.penstock.plan.Plan;
import java.util.List;

/**
 * A plan without a dataset.
 *
 * @param given the case as it was given
 * @param epochs which epochs are asked for
 */
record PlanCase(ObjectNode given, Plan plan, List<Long> epochs) {
  PlanCase {
    epochs = List.copyOf(epochs);
  }

  /** The case as given, with its {@code epochs} worked out. */
  ObjectNode filledIn() {
    ObjectNode filled = given.deepCopy();
    ArrayNode all = filled.putArray("epochs");
    for (long epoch : epochs) {
      EpochSummary summary = EpochSummary.of(plan.epoch(epoch));
      ObjectNode one = all.addObject();
      one.put("epoch", summary.epoch());
      one.put("steps", summary.steps());
      one.put("padding", summary.padding());
      summary.firstRows().forEach(one.putArray("first_rows")::add);
      summary.lastRows().forEach(one.putArray("last_rows")::add);
      one.put("order_digest", summary.orderDigest().hex());
    }
    return filled;
  }

  /** The same for people. */
  List<String> lines() {
    StringBuilder text = new StringBuilder();
    text.append("rows ").append(Amounts.count(plan.rows()));
    text.append(" in ").append(Amounts.count(plan.rowGroups())).append(" row groups, ");
    text.append(Amounts.count(plan.steps())).append(" steps of ");
    text.append(Amounts.count(plan.order().batch())).append(" rows an epoch");
    for (long epoch : epochs) {
      EpochSummary summary = EpochSummary.of(plan.epoch(epoch));
      text.append("\nepoch ").append(epoch);
      text.append("\n  padding       ").append(Amounts.count(summary.padding()));
      text.append("\n  first rows    ").append(summary.firstRows());
      text.append("\n  last rows     ").append(summary.lastRows());
      text.append("\n  order digest  ").append(summary.orderDigest());
    }
    return text.toString().lines().toList();
  }
}
