package io.penstock.container;

import io.penstock.config.Settings;
import io.penstock.container.device.Device;
import io.penstock.container.device.HostMemoryDevice;
import io.penstock.coordination.Connection;
import io.penstock.coordination.Coordination;
import io.penstock.coordination.CoordinationSettings;
import io.penstock.coordination.DeviceClaim;
import io.penstock.coordination.FencedJob;
import io.penstock.coordination.JobStore;
import io.penstock.coordination.Registration;
import io.penstock.coordination.Watched;
import io.penstock.coordination.records.Assignment;
import io.penstock.coordination.records.ContainerRecord;
import io.penstock.coordination.records.DeviceRecord;
import io.penstock.coordination.records.Phase;
import io.penstock.lifecycle.NamedThreads;
import io.penstock.lifecycle.Resources;
import io.penstock.lifecycle.SystemClock;
import io.penstock.yarn.ExitStatus;
import io.penstock.yarn.JobConfiguration;
import io.penstock.yarn.RankIdentity;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One rank from its registration to its end.
 *
 * <h2>Who may end it</h2>
 *
 * The rank runs on the calling thread and ends with its last step or its first failure, in order:
 * data plane, cache, claims, ZooKeeper. When it finds that it has no say any more (a newer attempt
 * or generation raised the fence, its assignment went to another container, its device was claimed
 * by another after its session was lost) it must not deliver another batch, and the training step
 * may be busy for long; so it leaves at once: it closes its ZooKeeper session and halts. The cache
 * survives that as it survives a kill.
 */
final class RankProcess {
  private static final Logger LOG = LoggerFactory.getLogger(RankProcess.class);

  private final RankIdentity identity;
  private final Path folder;
  private final AtomicBoolean leaving = new AtomicBoolean();

  /**
   * @param folder the container's working folder, with the job's files
   */
  RankProcess(RankIdentity identity, Path folder) {
    this.identity = identity;
    this.folder = folder;
  }

  /**
   * Runs the rank and says how it ended; what went wrong is logged and, if it can be, told in
   * ZooKeeper.
   */
  ExitStatus run() {
    Resources open = new Resources();
    ExitStatus status;
    try {
      Configuration configuration = JobConfiguration.read(folder);
      Settings settings = Settings.read(configuration);
      Coordination coordination =
          open.add(Coordination.connect(CoordinationSettings.of(settings.zookeeper())));
      Runtime.getRuntime()
          .addShutdownHook(
              NamedThreads.named("leave-zookeeper", coordination::close, (thread, e) -> {}));
      JobStore job = coordination.job(identity.application());
      FencedJob fenced = job.fencedBy(identity.fence());
      status =
          new Registered(
                  new JobAccess(
                      identity,
                      folder,
                      configuration,
                      settings,
                      coordination,
                      job,
                      fenced,
                      SystemClock.INSTANCE))
              .run(open);
    } catch (Throwable failure) {
      status = AssignedRank.statusOf(failure);
      LOG.error("event=failed status={} reason={}", status, failure.getMessage(), failure);
    }
    try {
      open.close();
    } catch (Exception e) {
      LOG.warn("event=close-failed reason={}", e.toString(), e);
    }
    return status;
  }

  /** The part of the run that has a connection to ZooKeeper. */
  private final class Registered {
    private final JobAccess access;

    Registered(JobAccess access) {
      this.access = access;
    }

    ExitStatus run(Resources open) throws Exception {
      DeviceClaim claim =
          open.add(
              access
                  .coordination()
                  .claimDevice(
                      identity.host(),
                      Integer.MAX_VALUE,
                      new DeviceRecord(
                          identity.application(),
                          identity.container(),
                          ProcessHandle.current().pid()))
                  .orElseThrow());
      Device device = open.add(new HostMemoryDevice(claim.ordinal()));
      Registration<ContainerRecord> registration =
          open.add(access.fenced().register(record(device, Phase.REGISTERED)));
      open.add(access.job().watchFence(version -> version.ifPresent(this::checkFence)));
      open.add(access.coordination().onConnection(state -> checkClaim(state, claim)));
      Assignment assignment = awaitAssignment(open);
      LOG.info(
          "event=assigned rank={} ranks={} generation={} start={} device={}",
          assignment.rank(),
          assignment.ranks(),
          assignment.generation(),
          assignment.start(),
          device.name());
      registration.update(record(device, Phase.STARTING));
      return new AssignedRank(
              access,
              assignment,
              device,
              phase -> registration.update(record(device, phase)),
              failure -> leave(AssignedRank.statusOf(failure), "reporting failed: " + failure))
          .run();
    }

    private ContainerRecord record(Device device, Phase phase) {
      return new ContainerRecord(
          identity.container(),
          identity.host(),
          ProcessHandle.current().pid(),
          device.name(),
          phase,
          identity.feed(),
          identity.rank(),
          identity.generation());
    }

    private Assignment awaitAssignment(Resources open) throws Exception {
      Watched<Assignment> watched =
          open.add(
              access
                  .job()
                  .watchAssignment(
                      identity.feed(),
                      identity.rank(),
                      latest -> latest.ifPresent(this::checkAssignment)));
      return watched.await(
          this::isMine,
          access
              .settings()
              .am()
              .registrationTimeout()
              .plus(access.settings().am().allocationTimeout()),
          "the assignment of rank " + identity.rank());
    }

    private boolean isMine(Assignment assignment) {
      return assignment.generation() == identity.generation()
          && assignment.container().equals(identity.container());
    }

    private void checkAssignment(Assignment assignment) {
      if (assignment.generation() > identity.generation()
          || (assignment.generation() == identity.generation() && !isMine(assignment))) {
        leave(ExitStatus.FENCED, "the rank went to container " + assignment.container());
      }
    }

    private void checkFence(int version) {
      if (version > identity.fence()) {
        leave(ExitStatus.FENCED, "fence=" + identity.fence() + " now=" + version);
      }
    }

    /** A lost session freed the device: it is ours again only if nobody took it meanwhile. */
    private void checkClaim(Connection state, DeviceClaim claim) {
      if (state != Connection.LOST) {
        LOG.info("event=zookeeper-connection state={}", state);
        return;
      }
      leave(
          ExitStatus.ZOOKEEPER_LOST,
          "the session ended; device " + claim.ordinal() + " may be another's");
    }

    private void leave(ExitStatus status, String reason) {
      if (!leaving.compareAndSet(false, true)) {
        return;
      }
      LOG.error("event=end status={} code={} reason={}", status, status.code(), reason);
      NamedThreads.named(
              "leave",
              () -> {
                NamedThreads.named(
                        "leave-late", () -> haltAfterCloseTimeout(status), (thread, e) -> {})
                    .start();
                access.coordination().close();
                Runtime.getRuntime().halt(status.code());
              },
              (thread, e) -> Runtime.getRuntime().halt(status.code()))
          .start();
    }

    private void haltAfterCloseTimeout(ExitStatus status) {
      long end = System.nanoTime() + access.settings().container().closeTimeout().toNanos();
      for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
        java.util.concurrent.locks.LockSupport.parkNanos(left);
      }
      Runtime.getRuntime().halt(status.code());
    }
  }
}
