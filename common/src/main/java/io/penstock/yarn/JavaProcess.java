package io.penstock.yarn;

import io.penstock.model.UsageException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The command and environment of one of Penstock's processes on the cluster.
 *
 * <p>YARN's launch script expands the command and the environment's values by the shell, so nothing
 * that a user wrote is on the command line, and the environment takes only what the shell leaves as
 * it is.
 *
 * @param mainClass what the launcher shall run
 * @param memoryBytes what YARN gives the process
 * @param heapShare share of it that the heap takes
 * @param javaOptions further options of the JVM
 * @param javaHome of a JDK 17 or later on the nodes; found there if empty
 * @param jar path of {@code penstock.jar} inside the distribution
 * @param environment further variables
 */
public record JavaProcess(
    String mainClass,
    long memoryBytes,
    double heapShare,
    List<String> javaOptions,
    Optional<String> javaHome,
    String jar,
    Map<String, String> environment) {
  private static final long MIB = 1024 * 1024;
  private static final String SHELL = "\"$`\\\n";
  private static final String LOGS = "<LOG_DIR>";

  public JavaProcess {
    javaOptions = List.copyOf(javaOptions);
    environment = Map.copyOf(environment);
  }

  /** The launch line. */
  public List<String> command() {
    String java =
        javaHome.isPresent() ? "{{PENSTOCK_JAVA_HOME}}/bin/java" : "{{JAVA_HOME}}/bin/java";
    return List.of(
        String.join(
            " ",
            "exec",
            java,
            "-Xmx32m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            JobFiles.DISTRIBUTION + "/" + jar,
            "io.penstock.launcher.Launcher",
            "--penstock-main",
            mainClass,
            "1>" + LOGS + "/stdout",
            "2>" + LOGS + "/stderr"));
  }

  /**
   * All variables.
   *
   * @throws UsageException if one has a character that the shell would not leave as it is
   */
  public Map<String, String> variables() {
    Map<String, String> variables = new LinkedHashMap<>(environment);
    javaHome.ifPresent(home -> variables.put("PENSTOCK_JAVA_HOME", home));
    List<String> options = new ArrayList<>();
    options.add("-Xmx" + (long) (memoryBytes * heapShare) / MIB + "m");
    options.add("-Dpenstock.log.level=INFO");
    options.add("-Dpenstock.log.target=System.out");
    options.addAll(javaOptions);
    variables.put("PENSTOCK_CHILD_OPTS", String.join(" ", options));
    variables.forEach(
        (name, value) -> {
          for (int i = 0; i < value.length(); i++) {
            if (SHELL.indexOf(value.charAt(i)) >= 0) {
              throw new UsageException(
                  "must have none of \" $ ` \\ and no line break: " + name + "=" + value);
            }
          }
        });
    return variables;
  }
}
