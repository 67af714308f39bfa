package io.penstock.config;

import java.time.Duration;
import java.util.List;

/**
 * How the ApplicationMaster runs.
 *
 * @param memoryBytes asked of YARN
 * @param vcores asked of YARN
 * @param heapShare share of the memory that the JVM's heap takes
 * @param javaOptions further options of the JVM
 * @param attempts how often YARN may start it
 * @param restarts how often all ranks may start again
 * @param allocationTimeout how long YARN may take to give all containers
 * @param elasticWait how long a job may wait for its most ranks before it begins with fewer
 * @param registrationTimeout how long all containers may take from their start until they register
 * @param heartbeat time between two heartbeats to the ResourceManager
 */
public record AmSettings(
    long memoryBytes,
    int vcores,
    double heapShare,
    List<String> javaOptions,
    int attempts,
    int restarts,
    Duration allocationTimeout,
    Duration elasticWait,
    Duration registrationTimeout,
    Duration heartbeat) {
  public AmSettings {
    javaOptions = List.copyOf(javaOptions);
  }

  static AmSettings from(SettingsReader reader) {
    return new AmSettings(
        reader.get(Known.AM_MEMORY),
        reader.get(Known.AM_VCORES),
        reader.get(Known.AM_HEAP_SHARE),
        reader.get(Known.AM_JAVA_OPTIONS),
        reader.get(Known.AM_ATTEMPTS),
        reader.get(Known.AM_RESTARTS),
        reader.get(Known.AM_ALLOCATION_TIMEOUT),
        reader.get(Known.AM_ELASTIC_WAIT),
        reader.get(Known.AM_REGISTRATION_TIMEOUT),
        reader.get(Known.AM_HEARTBEAT));
  }
}
