package io.penstock.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.model.RankSlice;
import java.util.List;
import org.junit.jupiter.api.Test;

class OrderVectorsTest {
  @Test
  void plansDeliverThePublishedGlobalBatchesAndDigests() {
    List<JsonNode> vectors = OrderVectors.section("plans");
    assertEquals(26, vectors.size());
    for (JsonNode vector : vectors) {
      Plan plan = OrderVectors.plan(vector);
      assertEquals(vector.get("want_epochs").size(), vector.get("epochs").size());
      for (JsonNode expected : vector.get("epochs")) {
        EpochPlan epoch = plan.epoch(expected.get("epoch").longValue());
        assertBatches(expected.get("global_batches"), epoch);
        EpochSummary summary = EpochSummary.of(epoch);
        assertEquals(expected.get("steps").longValue(), summary.steps());
        assertEquals(expected.get("padding").longValue(), summary.padding());
        assertEquals(expected.get("order_digest").textValue(), summary.orderDigest().hex());
      }
    }
  }

  private static void assertBatches(JsonNode expected, EpochPlan epoch) {
    assertEquals(expected.size(), epoch.plan().steps());
    GlobalOrder batches = new GlobalOrder(epoch, 0);
    for (JsonNode rows : expected) {
      GlobalBatch batch = batches.next();
      assertEquals(rows.size(), batch.rows().length);
      for (int i = 0; i < rows.size(); i++) {
        JsonNode row = rows.get(i);
        assertEquals(row.isNumber() ? row.longValue() : row.get(0).longValue(), batch.rows()[i]);
        assertEquals(row.isNumber(), batch.valid()[i]);
      }
    }
    assertEquals(false, batches.hasNext());
  }

  @Test
  void ranksDeliverThePublishedDigests() {
    int seen = 0;
    for (JsonNode vector : OrderVectors.section("plans")) {
      Plan plan = OrderVectors.plan(vector);
      for (JsonNode expected : vector.get("epochs")) {
        long epoch = expected.get("epoch").longValue();
        JsonNode byRanks = expected.get("order_digest_by_rank");
        for (var names = byRanks.fieldNames(); names.hasNext(); ) {
          String ranks = names.next();
          for (int r = 0; r < Integer.parseInt(ranks); r++) {
            RankPlan rank = new RankPlan(plan, new RankSlice(r, Integer.parseInt(ranks)));
            DigestSums sums = new DigestSums(epoch);
            RankRows rows = new RankRows(rank, epoch, 0);
            while (rows.hasNext()) {
              RankRows.Step step = rows.next();
              sums.add(step.firstPosition(), step.rows(), 0, step.rows().length);
            }
            assertEquals(byRanks.get(ranks).get(r).textValue(), sums.digest().hex());
            seen++;
          }
        }
      }
    }
    assertEquals(676, seen);
  }

  @Test
  void largerPlansEqualThePublishedSummaries() {
    List<JsonNode> vectors = OrderVectors.section("larger_plans");
    assertEquals(6, vectors.size());
    for (JsonNode vector : vectors) {
      Plan plan = OrderVectors.plan(vector);
      assertEquals(vector.get("want_epochs").size(), vector.get("epochs").size());
      for (JsonNode expected : vector.get("epochs")) {
        EpochSummary summary = EpochSummary.of(plan.epoch(expected.get("epoch").longValue()));
        assertEquals(expected.get("steps").longValue(), summary.steps());
        assertEquals(expected.get("padding").longValue(), summary.padding());
        assertEquals(OrderVectors.longs(expected.get("first_rows")), summary.firstRows());
        assertEquals(OrderVectors.longs(expected.get("last_rows")), summary.lastRows());
        assertEquals(expected.get("order_digest").textValue(), summary.orderDigest().hex());
      }
    }
  }
}
