package io.penstock.am;

import io.penstock.am.cluster.LaunchContexts;
import io.penstock.am.core.Slot;
import io.penstock.config.ContainerSettings;
import io.penstock.yarn.JavaProcess;
import io.penstock.yarn.JobRequest;
import io.penstock.yarn.Launches;
import io.penstock.yarn.RankIdentity;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.LocalResource;

/**
 * How a rank's container is started.
 *
 * @param files by link in the working folder
 * @param fence the fence's version at the time
 */
record RankLaunches(
    JobRequest request,
    ContainerSettings settings,
    Optional<String> javaHome,
    Map<String, LocalResource> files,
    Credentials credentials,
    IntSupplier fence)
    implements LaunchContexts {
  private static final String MAIN = "io.penstock.container.Main";
  private static final long MIB = 1024 * 1024;

  @Override
  public ContainerLaunchContext of(Container container, Slot slot, int generation)
      throws IOException {
    long memory = container.getResource().getMemorySize() * MIB;
    RankIdentity identity =
        new RankIdentity(
            request.application(),
            container.getId().toString(),
            container.getNodeId().getHost(),
            slot.feed(),
            slot.rank(),
            generation,
            fence.getAsInt(),
            // A scheduler that counts memory alone grants one vcore, whatever was asked for.
            Math.max(settings.vcores(), container.getResource().getVirtualCores()),
            memory);
    JavaProcess process =
        new JavaProcess(
            MAIN,
            memory,
            settings.heapShare(),
            settings.javaOptions(),
            javaHome,
            request.distributionJar(),
            identity.toEnvironment());
    return Launches.context(process, files, credentials, request.user());
  }
}
