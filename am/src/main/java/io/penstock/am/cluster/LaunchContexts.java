package io.penstock.am.cluster;

import io.penstock.am.core.Slot;
import java.io.IOException;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;

/** Makes the launch context of a rank. */
@FunctionalInterface
public interface LaunchContexts {
  ContainerLaunchContext of(Container container, Slot slot, int generation) throws IOException;
}
