package io.penstock.am.cluster;

import io.penstock.am.core.Ending;
import io.penstock.am.core.Event;
import io.penstock.am.core.Slot;
import io.penstock.coordination.records.RunState;
import io.penstock.model.UnreachableException;
import io.penstock.yarn.ContainerEnd;
import io.penstock.yarn.RankResource;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.PreemptionMessage;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.UpdatedContainer;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.client.api.async.AMRMClientAsync;
import org.apache.hadoop.yarn.client.api.async.NMClientAsync;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.security.ContainerTokenIdentifier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * YARN itself.
 *
 * <h2>Threads</h2>
 *
 * The clients have threads of their own; their callbacks only turn what they hear into events.
 * Commands come from the loop. The maps that both use are concurrent.
 *
 * <h2>Asks</h2>
 *
 * Every ask has an allocation request id of its own, so a grant says which ask it is for, whatever
 * the scheduler rounded it up to. A granted request stays in the client's table and would be asked
 * for again with the next one, so the loop withdraws it.
 */
public final class YarnCluster implements Cluster, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(YarnCluster.class);
  private static final Priority PRIORITY = Priority.newInstance(1);

  private final RankResource resource;
  private final Optional<String> nodeLabel;
  private final Consumer<Event> events;
  private final FatalHandler fatal;
  private final DoubleSupplier progress;
  private final AMRMClientAsync<ContainerRequest> resourceManager;
  private final NMClientAsync nodeManagers;
  private final Map<Long, ContainerRequest> requests = new ConcurrentHashMap<>();
  private final Map<String, Container> containers = new ConcurrentHashMap<>();
  private volatile LaunchContexts contexts;
  private volatile Resource asked;

  /**
   * Starts the clients; nothing is registered yet.
   *
   * @param resource what a rank needs
   * @param nodeLabel where, if not on the queue's own nodes
   * @param events told what happens, from the clients' threads
   * @param progress share that is done, 0 to 1
   */
  public YarnCluster(
      Configuration configuration,
      Duration heartbeat,
      RankResource resource,
      Optional<String> nodeLabel,
      Consumer<Event> events,
      FatalHandler fatal,
      DoubleSupplier progress) {
    this.resource = resource;
    this.nodeLabel = nodeLabel;
    this.events = events;
    this.fatal = fatal;
    this.progress = progress;
    this.resourceManager =
        AMRMClientAsync.createAMRMClientAsync(
            (int) heartbeat.toMillis(), new FromResourceManager());
    this.nodeManagers = NMClientAsync.createNMClientAsync(new FromNodeManagers());
    resourceManager.init(configuration);
    resourceManager.start();
    // A container outlives a node's short absence; the job decides what is stopped.
    nodeManagers.getClient().cleanupRunningContainersOnStop(false);
    nodeManagers.init(configuration);
    nodeManagers.start();
  }

  /**
   * Registers the ApplicationMaster.
   *
   * @throws UnreachableException if the ResourceManager does not take it
   */
  public void register(String host, int port, String trackingUrl) {
    try {
      RegisterApplicationMasterResponse response =
          resourceManager.registerApplicationMaster(host, port, trackingUrl);
      if (response.getResourceTypes() != null && !response.getResourceTypes().isEmpty()) {
        RankResource.know(response.getResourceTypes());
      }
      LOG.info(
          "event=registered queue={} maximum={}",
          response.getQueue(),
          response.getMaximumResourceCapability());
    } catch (YarnException | IOException e) {
      throw new UnreachableException(
          "the ResourceManager did not register the ApplicationMaster: "
              + HeartbeatErrors.firstLine(e),
          e);
    }
  }

  /** Says how ranks are started; before the first launch. */
  public void launchWith(LaunchContexts how) {
    contexts = how;
  }

  @Override
  public void ask(long ask) {
    if (asked == null) {
      asked = resource.toYarn();
    }
    ContainerRequest.ContainerRequestBuilder builder =
        ContainerRequest.newBuilder()
            .capability(Resource.newInstance(asked))
            .priority(PRIORITY)
            .allocationRequestId(ask)
            .relaxLocality(true);
    nodeLabel.ifPresent(builder::nodeLabelsExpression);
    ContainerRequest request = builder.build();
    requests.put(ask, request);
    LOG.info("event=ask ask={} resource=\"{}\"", ask, resource);
    resourceManager.addContainerRequest(request);
  }

  @Override
  public void withdraw(long ask) {
    ContainerRequest request = requests.remove(ask);
    if (request != null) {
      resourceManager.removeContainerRequest(request);
    }
  }

  @Override
  public void release(String container) {
    LOG.info("event=release container={}", container);
    resourceManager.releaseAssignedContainer(ContainerId.fromString(container));
  }

  @Override
  public void launch(String name, Slot slot, int generation) {
    Container container = containers.get(name);
    LOG.info(
        "event=launch container={} host={} slot={} generation={}",
        name,
        container.getNodeId(),
        slot,
        generation);
    try {
      nodeManagers.startContainerAsync(container, contexts.of(container, slot, generation));
    } catch (IOException e) {
      events.accept(new Event.LaunchFailed(name, HeartbeatErrors.firstLine(e)));
    }
  }

  @Override
  public void stop(String name) {
    Container container = containers.get(name);
    LOG.info("event=stop container={}", name);
    nodeManagers.stopContainerAsync(container.getId(), container.getNodeId());
  }

  @Override
  public void unregister(RunState state, String text) {
    FinalApplicationStatus status =
        switch (state) {
          case SUCCEEDED -> FinalApplicationStatus.SUCCEEDED;
          case KILLED -> FinalApplicationStatus.KILLED;
          case FAILED -> FinalApplicationStatus.FAILED;
          case STARTING, RUNNING, RESTARTING ->
              throw new IllegalArgumentException("not final: state=" + state);
        };
    try {
      resourceManager.unregisterApplicationMaster(status, text, "");
      LOG.info("event=unregistered state={} text=\"{}\"", state, text);
    } catch (YarnException | IOException e) {
      throw new UnreachableException(
          "the ResourceManager did not unregister the ApplicationMaster: "
              + HeartbeatErrors.firstLine(e),
          e);
    }
  }

  @Override
  public void close() {
    nodeManagers.stop();
    resourceManager.stop();
  }

  /** How long the container's token lets it be started, by the ResourceManager's clock. */
  private static Duration startable(Container container) {
    ContainerTokenIdentifier token = new ContainerTokenIdentifier();
    ByteBuffer bytes = container.getContainerToken().getIdentifier().duplicate();
    byte[] identifier = new byte[bytes.remaining()];
    bytes.get(identifier);
    try {
      token.readFields(new DataInputStream(new ByteArrayInputStream(identifier)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Duration.ofMillis(Math.max(0, token.getExpiryTimeStamp() - System.currentTimeMillis()));
  }

  static Ending ending(ContainerEnd.Verdict verdict) {
    return switch (verdict) {
      case DONE -> Ending.DONE;
      case AGAIN -> Ending.FAILED;
      case TAKEN_AWAY -> Ending.LOST;
      case FATAL -> Ending.FATAL;
    };
  }

  private final class FromResourceManager extends AMRMClientAsync.AbstractCallbackHandler {
    @Override
    public void onContainersCompleted(List<ContainerStatus> statuses) {
      for (ContainerStatus status : statuses) {
        ContainerEnd end = ContainerEnd.of(status.getExitStatus(), status.getDiagnostics());
        String name = status.getContainerId().toString();
        LOG.info(
            "event=completed container={} status={} words=\"{}\"", name, end.status(), end.words());
        events.accept(new Event.Completed(name, ending(end.verdict()), end.words()));
      }
    }

    @Override
    public void onContainersAllocated(List<Container> allocated) {
      for (Container container : allocated) {
        String name = container.getId().toString();
        containers.put(name, container);
        LOG.info(
            "event=allocated container={} host={} ask={} resource=\"{}\"",
            name,
            container.getNodeId(),
            container.getAllocationRequestId(),
            container.getResource());
        events.accept(
            new Event.Allocated(
                name,
                container.getNodeId().getHost(),
                container.getAllocationRequestId(),
                startable(container)));
      }
    }

    @Override
    public void onPreemptionMessageReceived(PreemptionMessage message) {
      events.accept(PreemptionMessages.event(message));
    }

    @Override
    public void onContainersUpdated(List<UpdatedContainer> updated) {
      LOG.info("event=containers-updated count={}", updated.size());
    }

    @Override
    public void onShutdownRequest() {
      fatal.fatal("the ResourceManager asks this attempt to shut down");
    }

    @Override
    public void onNodesUpdated(List<NodeReport> reports) {
      for (NodeReport report : reports) {
        LOG.info(
            "event=node node={} state={} health=\"{}\"",
            report.getNodeId(),
            report.getNodeState(),
            report.getHealthReport());
      }
    }

    @Override
    public float getProgress() {
      return (float) progress.getAsDouble();
    }

    @Override
    public void onError(Throwable error) {
      Optional<Event> refusal = HeartbeatErrors.refusal(error);
      Optional<String> end = HeartbeatErrors.fatal(error);
      if (refusal.isPresent()) {
        events.accept(refusal.get());
      } else if (end.isPresent()) {
        fatal.fatal(end.get());
      } else {
        LOG.warn("event=heartbeat-failed reason=\"{}\"", HeartbeatErrors.firstLine(error), error);
      }
    }
  }

  private final class FromNodeManagers extends NMClientAsync.AbstractCallbackHandler {
    @Override
    public void onContainerStarted(ContainerId id, Map<String, ByteBuffer> services) {
      LOG.info("event=started container={}", id);
    }

    @Override
    public void onStartContainerError(ContainerId id, Throwable error) {
      events.accept(new Event.LaunchFailed(id.toString(), HeartbeatErrors.firstLine(error)));
    }

    @Override
    public void onContainerStopped(ContainerId id) {
      LOG.info("event=stopped container={}", id);
    }

    @Override
    public void onStopContainerError(ContainerId id, Throwable error) {
      LOG.warn(
          "event=stop-failed container={} reason=\"{}\"", id, HeartbeatErrors.firstLine(error));
    }

    @Override
    public void onContainerStatusReceived(ContainerId id, ContainerStatus status) {
      LOG.debug("event=status container={} status={}", id, status);
    }

    @Override
    public void onGetContainerStatusError(ContainerId id, Throwable error) {
      LOG.debug("event=no-status container={}", id, error);
    }

    @Override
    @Deprecated
    public void onContainerResourceIncreased(ContainerId id, Resource increased) {
      LOG.debug("event=resource-increased container={}", id);
    }

    @Override
    public void onContainerResourceUpdated(ContainerId id, Resource updated) {
      LOG.debug("event=resource-updated container={}", id);
    }

    @Override
    @Deprecated
    public void onIncreaseContainerResourceError(ContainerId id, Throwable error) {
      LOG.debug("event=resource-not-increased container={}", id, error);
    }

    @Override
    public void onUpdateContainerResourceError(ContainerId id, Throwable error) {
      LOG.debug("event=resource-not-updated container={}", id, error);
    }
  }
}
