package io.penstock.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs Penstock's commands as a user does, from the distribution that the cli module builds.
 *
 * @param prefix what comes before the command's own arguments
 * @param environment what is set beside the inherited environment
 * @param deadline for a whole run
 */
record Penstock(List<String> prefix, Map<String, String> environment, Duration deadline) {
  /** A JVM that ends within seconds compiles twice for nothing, and tests share few cores. */
  static final String SHORT_LIFE = "-XX:TieredStopAtLevel=1";

  private static final Duration DEADLINE = Duration.ofMinutes(3);

  Penstock {
    prefix = List.copyOf(prefix);
    environment = Map.copyOf(environment);
  }

  /** By {@code bin/penstock}. */
  static Penstock onPath(Path conf) {
    return new Penstock(
        List.of(distribution().resolve("bin/penstock").toString()), variables(conf), DEADLINE);
  }

  /** By what {@code yarn jar} runs: Hadoop's RunJar, with the cluster's jars first. */
  static Penstock byRunJar(Path conf) {
    return new Penstock(
        List.of(
            ModuleFolder.path().resolve("bin/yarn-jar").toString(),
            distribution().resolve("penstock.jar").toString()),
        variables(conf),
        DEADLINE);
  }

  Penstock within(Duration time) {
    return new Penstock(prefix, environment, time);
  }

  Penstock with(String variable, String value) {
    Map<String, String> more = new HashMap<>(environment);
    more.put(variable, value);
    return new Penstock(prefix, more, deadline);
  }

  CommandResult run(String... args) throws IOException, InterruptedException {
    try (RunningCommand command = start(args)) {
      return command.await(deadline);
    }
  }

  RunningCommand start(String... args) throws IOException {
    List<String> words = new ArrayList<>(prefix);
    words.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(words);
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.startsWith("HADOOP_") || name.startsWith("PENSTOCK_"));
    builder.environment().putAll(environment);
    return RunningCommand.start(builder);
  }

  /** The unpacked distribution: bin/, conf/, lib/ and penstock.jar. */
  static Path distribution() {
    String folder = System.getProperty("penstock.distribution");
    Path path = Path.of(folder == null ? "" : folder).normalize();
    if (folder == null || !Files.isExecutable(path.resolve("bin/penstock"))) {
      throw new IllegalStateException(
          "the distribution is not built (mvn package): no bin/penstock in " + path);
    }
    return path;
  }

  private static Map<String, String> variables(Path conf) {
    return Map.of(
        "HADOOP_CONF_DIR",
        conf.toString(),
        "JAVA_HOME",
        System.getProperty("java.home"),
        "PENSTOCK_CHILD_OPTS",
        SHORT_LIFE);
  }
}
