package io.penstock.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** A job of one feed as {@code submit --json} and {@code inspect --json} tell it. */
record JobTold(JsonNode json) {
  /** Fails where a command ended otherwise than with {@code exitCode}. */
  static JobTold of(CommandResult result, int exitCode) {
    if (result.exitCode() != exitCode) {
      throw new AssertionError("exit code " + exitCode + " was expected: " + result);
    }
    return new JobTold(result.json());
  }

  ApplicationId application() {
    return ApplicationId.fromString(json.path("application").asText());
  }

  String state() {
    return json.path("state").asText();
  }

  JsonNode feed() {
    return json.path("feeds").path("train");
  }

  JsonNode epoch(int epoch) {
    return feed().path("epochs").path(epoch);
  }

  /** By epoch. */
  List<Digests> digests() {
    List<Digests> all = new ArrayList<>();
    feed().path("epochs").forEach(epoch -> all.add(Digests.of(epoch)));
    return all;
  }

  /** A number of each epoch. */
  List<Long> ofEpochs(String field) {
    List<Long> all = new ArrayList<>();
    feed().path("epochs").forEach(epoch -> all.add(epoch.path(field).asLong(-1)));
    return all;
  }

  /** What was decided, in order. */
  List<String> decisions() {
    List<String> kinds = new ArrayList<>();
    json.path("decisions").forEach(decision -> kinds.add(decision.path("kind").asText()));
    return kinds;
  }
}
