package io.penstock.yarn;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * What a container is told when it starts, by its environment.
 *
 * @param application YARN's application id
 * @param container YARN's container id
 * @param host the NodeManager's host
 * @param feed which feed it is for
 * @param rank which rank it is for
 * @param generation generation of the containers, from 1
 * @param fence version of the job's fence
 * @param vcores what YARN gave
 * @param memoryBytes what YARN gave
 */
public record RankIdentity(
    String application,
    String container,
    String host,
    String feed,
    int rank,
    int generation,
    int fence,
    int vcores,
    long memoryBytes) {
  private static final long MIB = 1024 * 1024;

  public RankIdentity {
    Objects.requireNonNull(application, "application");
    Objects.requireNonNull(container, "container");
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(feed, "feed");
  }

  /** As the variables that the process is started with. */
  public Map<String, String> toEnvironment() {
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put("PENSTOCK_APPLICATION", application);
    variables.put("PENSTOCK_CONTAINER", container);
    variables.put("PENSTOCK_HOST", host);
    variables.put("PENSTOCK_FEED", feed);
    variables.put("PENSTOCK_RANK", Integer.toString(rank));
    variables.put("PENSTOCK_GENERATION", Integer.toString(generation));
    variables.put("PENSTOCK_FENCE", Integer.toString(fence));
    variables.put("PENSTOCK_VCORES", Integer.toString(vcores));
    variables.put("PENSTOCK_MEMORY_MB", Long.toString(memoryBytes / MIB));
    return variables;
  }

  /**
   * Reads what {@link #toEnvironment} made.
   *
   * @throws IllegalStateException that names a variable which is missing or no number
   */
  public static RankIdentity of(Map<String, String> environment) {
    return new RankIdentity(
        text(environment, "PENSTOCK_APPLICATION"),
        text(environment, "PENSTOCK_CONTAINER"),
        text(environment, "PENSTOCK_HOST"),
        text(environment, "PENSTOCK_FEED"),
        number(environment, "PENSTOCK_RANK"),
        number(environment, "PENSTOCK_GENERATION"),
        number(environment, "PENSTOCK_FENCE"),
        number(environment, "PENSTOCK_VCORES"),
        number(environment, "PENSTOCK_MEMORY_MB") * MIB);
  }

  private static String text(Map<String, String> environment, String name) {
    String value = environment.get(name);
    if (value == null || value.isEmpty()) {
      throw new IllegalStateException("must be set, as the ApplicationMaster does: " + name);
    }
    return value;
  }

  private static int number(Map<String, String> environment, String name) {
    String value = text(environment, name);
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new IllegalStateException("must be a number: " + name + "=" + value, e);
    }
  }
}
