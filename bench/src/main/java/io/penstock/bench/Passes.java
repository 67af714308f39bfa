package io.penstock.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/**
 * The conversation with {@code bench/compare.py}: after warming up a line of JSON with what a pass
 * delivers, then for every line of standard input one pass and one line of JSON with its seconds.
 */
final class Passes {
  private static final int FEWEST_WARM_PASSES = 3;

  private Passes() {}

  /** One pass over the data. */
  interface Pass {
    /** What comes before it and is not measured. */
    default void prepare() throws Exception {}

    /** Returns the bytes that it allocated, or -1. */
    long run() throws Exception;
  }

  /**
   * Warms up, then answers until standard input ends.
   *
   * @param delivered rows and sums of one pass, found before
   * @param warmSeconds how long to warm up at least
   */
  static void answer(Map<String, Number> delivered, Pass pass, double warmSeconds)
      throws Exception {
    long start = System.nanoTime();
    for (int k = 0; k < FEWEST_WARM_PASSES || seconds(start) < warmSeconds; k++) {
      pass.prepare();
      pass.run();
    }
    PrintStream out = System.out;
    out.println(json(delivered));
    out.flush();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    while (in.readLine() != null) {
      pass.prepare();
      double cpu = cpuSeconds();
      long from = System.nanoTime();
      long allocated = pass.run();
      double wall = seconds(from);
      out.println(
          String.format(
              Locale.ROOT,
              "{\"seconds\": %.6f, \"cpu\": %.6f, \"allocated\": %d}",
              wall,
              cpuSeconds() - cpu,
              allocated));
      out.flush();
    }
  }

  private static String json(Map<String, Number> values) {
    StringJoiner fields = new StringJoiner(", ", "{", "}");
    values.forEach((name, value) -> fields.add("\"" + name + "\": " + value));
    return fields.toString();
  }

  private static double seconds(long since) {
    return (System.nanoTime() - since) / 1e9;
  }

  private static double cpuSeconds() throws IOException {
    var system =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return system.getProcessCpuTime() / 1e9;
  }
}
