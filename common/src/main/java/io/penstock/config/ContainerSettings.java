package io.penstock.config;

import java.time.Duration;
import java.util.List;

/**
 * What a container is.
 *
 * @param memoryBytes asked of YARN
 * @param vcores asked of YARN
 * @param gpus asked of YARN
 * @param heapShare share of the memory that the JVM's heap takes
 * @param javaOptions further options of the JVM
 * @param reportInterval time between two reports of progress
 * @param closeTimeout how long ending in order may take
 */
public record ContainerSettings(
    long memoryBytes,
    int vcores,
    int gpus,
    double heapShare,
    List<String> javaOptions,
    Duration reportInterval,
    Duration closeTimeout) {
  public ContainerSettings {
    javaOptions = List.copyOf(javaOptions);
  }

  static ContainerSettings from(SettingsReader reader) {
    return new ContainerSettings(
        reader.get(Known.CONTAINER_MEMORY),
        reader.get(Known.CONTAINER_VCORES),
        reader.get(Known.CONTAINER_GPUS),
        reader.get(Known.CONTAINER_HEAP_SHARE),
        reader.get(Known.CONTAINER_JAVA_OPTIONS),
        reader.get(Known.CONTAINER_REPORT_INTERVAL),
        reader.get(Known.CONTAINER_CLOSE_TIMEOUT));
  }
}
