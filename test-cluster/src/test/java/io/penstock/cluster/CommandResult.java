package io.penstock.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** How a command ended, and what it printed. */
record CommandResult(int exitCode, String stdout, String stderr) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Standard output as the one JSON value that {@code --json} promises. */
  JsonNode json() {
    try {
      return JSON.readTree(stdout);
    } catch (JsonProcessingException e) {
      throw new AssertionError("standard output is not one JSON value: " + this, e);
    }
  }
}
