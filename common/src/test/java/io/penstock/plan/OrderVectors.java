package io.penstock.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.model.Deal;
import io.penstock.model.OrderSpec;
import io.penstock.model.Remainder;
import io.penstock.model.Shuffle;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.StreamSupport;

/** The order contract's published vectors, computed with NumPy. */
final class OrderVectors {
  private OrderVectors() {}

  static List<JsonNode> section(String name) {
    try (InputStream in = OrderVectors.class.getResourceAsStream("order-vectors.json")) {
      JsonNode all = new ObjectMapper().readTree(Objects.requireNonNull(in));
      return StreamSupport.stream(all.get(name).spliterator(), false).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Plan plan(JsonNode of) {
    OrderSpec order =
        new OrderSpec(
            of.get("seed").longValue(),
            of.get("lanes").intValue(),
            of.get("batch").intValue(),
            of.get("window").intValue(),
            Arrays.stream(Shuffle.values())
                .filter(s -> s.text().equals(of.get("shuffle").textValue()))
                .findFirst()
                .orElseThrow(),
            Arrays.stream(Deal.values())
                .filter(d -> d.text().equals(of.get("deal").textValue()))
                .findFirst()
                .orElseThrow(),
            Arrays.stream(Remainder.values())
                .filter(r -> r.text().equals(of.get("remainder").textValue()))
                .findFirst()
                .orElseThrow());
    return new Plan(order, ints(of.get("rows")));
  }

  static int[] ints(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).mapToInt(JsonNode::intValue).toArray();
  }

  static List<Long> longs(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).map(JsonNode::longValue).toList();
  }
}
