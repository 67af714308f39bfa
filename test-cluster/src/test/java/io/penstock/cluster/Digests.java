package io.penstock.cluster;

import com.fasterxml.jackson.databind.JsonNode;

/** What compares two deliveries of an epoch: the rows at their positions, and every byte. */
record Digests(String order, String values) {
  Digests {
    if (!order.matches("[0-9a-f]{32}") || !values.matches("[0-9a-f]{32}")) {
      throw new AssertionError("not two digests: '" + order + "', '" + values + "'");
    }
  }

  /** Of an epoch of a job, of a peek, or of the oracle. */
  static Digests of(JsonNode json) {
    return new Digests(json.path("order_digest").asText(), json.path("values_digest").asText());
  }
}
