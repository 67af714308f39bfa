package io.penstock.cluster;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.UpdatedContainer;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.client.api.async.AMRMClientAsync;
import org.apache.hadoop.yarn.client.api.async.NMClientAsync;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;
import org.apache.hadoop.yarn.util.Records;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;

/**
 * Another application, of a higher priority in its queue, which takes GPUs as they become free and
 * holds them until it is closed. Its ApplicationMaster is this process; in its containers something
 * sleeps.
 */
final class GpuTaker implements AutoCloseable {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int HEARTBEAT_MILLIS = 100;

  private final UserGroupInformation user;
  private final AMRMClientAsync<ContainerRequest> resourceManager;
  private final NMClientAsync nodeManagers;
  private final Resource resource;
  private int asks;
  private volatile int started;

  private GpuTaker(UserGroupInformation user, Resource resource) {
    this.user = user;
    this.resource = resource;
    this.resourceManager =
        AMRMClientAsync.createAMRMClientAsync(HEARTBEAT_MILLIS, new FromResourceManager());
    this.nodeManagers = NMClientAsync.createNMClientAsync(new FromNodeManagers());
  }

  /** Returns when the ResourceManager knows it; it has no GPU yet. */
  static GpuTaker start(PenstockCluster cluster, String queue) throws Exception {
    YarnClient yarn = cluster.yarn();
    ResourceUtils.reinitializeResources(yarn.getResourceTypeInfo());
    Resource resource = Resource.newInstance(256, 1);
    resource.setResourceValue(ServerSettings.GPU, 1);
    ApplicationSubmissionContext application =
        yarn.createApplication().getApplicationSubmissionContext();
    application.setApplicationName("gpu-taker");
    application.setQueue(queue);
    application.setMaxAppAttempts(1);
    application.setPriority(Priority.newInstance(10));
    application.setUnmanagedAM(true);
    application.setResource(Resource.newInstance(128, 1));
    application.setAMContainerSpec(Records.newRecord(ContainerLaunchContext.class));
    ApplicationId id = yarn.submitApplication(application);
    Token<AMRMTokenIdentifier> token =
        Await.until(id + " to be known", SOON, () -> Optional.ofNullable(yarn.getAMRMToken(id)));
    UserGroupInformation user =
        UserGroupInformation.createRemoteUser(UserGroupInformation.getCurrentUser().getUserName());
    user.addToken(token);
    GpuTaker taker = new GpuTaker(user, resource);
    taker.as(() -> taker.register(yarn.getConfig()));
    return taker;
  }

  private Object register(Configuration settings) throws Exception {
    resourceManager.init(settings);
    resourceManager.start();
    nodeManagers.init(settings);
    nodeManagers.start();
    return resourceManager.registerApplicationMaster("localhost", 0, "");
  }

  /** Asks for one GPU more: the next that is free. */
  void ask() throws Exception {
    asks++;
    long number = asks;
    as(
        () -> {
          resourceManager.addContainerRequest(
              ContainerRequest.newBuilder()
                  .capability(resource)
                  .priority(Priority.newInstance(1))
                  .allocationRequestId(number)
                  .build());
          return null;
        });
  }

  /** Until it has all that it asked for. */
  void awaitGpus() throws Exception {
    Await.until(
        asks + " GPUs to be taken",
        SOON,
        () -> started == asks ? Optional.of(started) : Optional.empty());
  }

  /** Gives all back. */
  @Override
  public void close() throws IOException {
    try {
      as(
          () -> {
            resourceManager.unregisterApplicationMaster(FinalApplicationStatus.SUCCEEDED, "", "");
            nodeManagers.stop();
            resourceManager.stop();
            return null;
          });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while giving GPUs back", e);
    }
  }

  private <T> T as(PrivilegedExceptionAction<T> action) throws IOException, InterruptedException {
    return user.doAs(action);
  }

  private final class FromResourceManager extends AMRMClientAsync.AbstractCallbackHandler {
    @Override
    public void onContainersAllocated(List<Container> containers) {
      ContainerLaunchContext sleep =
          ContainerLaunchContext.newInstance(
              Map.of(), Map.of(), List.of("exec sleep 600"), null, null, null);
      containers.forEach(container -> nodeManagers.startContainerAsync(container, sleep));
    }

    @Override
    public void onContainersCompleted(List<ContainerStatus> statuses) {}

    @Override
    public void onContainersUpdated(List<UpdatedContainer> containers) {}

    @Override
    public void onShutdownRequest() {}

    @Override
    public void onNodesUpdated(List<NodeReport> nodes) {}

    @Override
    public float getProgress() {
      return 0;
    }

    @Override
    public void onError(Throwable error) {}
  }

  private final class FromNodeManagers extends NMClientAsync.AbstractCallbackHandler {
    @Override
    public void onContainerStarted(ContainerId id, Map<String, ByteBuffer> services) {
      started++;
    }

    @Override
    public void onStartContainerError(ContainerId id, Throwable error) {}

    @Override
    public void onContainerStopped(ContainerId id) {}

    @Override
    public void onStopContainerError(ContainerId id, Throwable error) {}

    @Override
    public void onContainerStatusReceived(ContainerId id, ContainerStatus status) {}

    @Override
    public void onGetContainerStatusError(ContainerId id, Throwable error) {}

    @Override
    @Deprecated
    public void onContainerResourceIncreased(ContainerId id, Resource increased) {}

    @Override
    public void onContainerResourceUpdated(ContainerId id, Resource updated) {}

    @Override
    @Deprecated
    public void onIncreaseContainerResourceError(ContainerId id, Throwable error) {}

    @Override
    public void onUpdateContainerResourceError(ContainerId id, Throwable error) {}
  }
}
