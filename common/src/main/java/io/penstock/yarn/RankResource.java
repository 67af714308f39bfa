package io.penstock.yarn;

import io.penstock.model.UsageException;
import java.util.List;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceTypeInfo;
import org.apache.hadoop.yarn.exceptions.ResourceNotFoundException;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;

/**
 * What is asked for a container.
 *
 * @param memoryBytes rounded up to whole MiB
 * @param gpus {@code yarn.io/gpu}; with 0 the cluster need not know that resource
 */
public record RankResource(long memoryBytes, int vcores, int gpus) {
  /** YARN's name of GPUs. */
  public static final String GPU = "yarn.io/gpu";

  private static final long MIB = 1024 * 1024;

  /**
   * Makes the cluster's resource types known in this JVM, so that no {@code resource-types.xml} is
   * needed.
   */
  public static void know(List<ResourceTypeInfo> types) {
    ResourceUtils.reinitializeResources(types);
  }

  /**
   * As YARN's own record.
   *
   * @throws UsageException if GPUs are asked for and the cluster knows none
   */
  public Resource toYarn() {
    Resource resource = Resource.newInstance((memoryBytes + MIB - 1) / MIB, vcores);
    if (gpus > 0) {
      try {
        resource.setResourceValue(GPU, gpus);
      } catch (ResourceNotFoundException e) {
        throw new UsageException(
            "the cluster has no resource " + GPU + ": gpus=" + gpus + " (0 asks for none)", e);
      }
    }
    return resource;
  }

  @Override
  public String toString() {
    return "memory=%dMiB vcores=%d gpus=%d".formatted((memoryBytes + MIB - 1) / MIB, vcores, gpus);
  }
}
