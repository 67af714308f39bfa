package io.penstock.coordination;

import io.penstock.coordination.records.Agreed;
import io.penstock.coordination.records.AmRecord;
import io.penstock.coordination.records.Assignment;
import io.penstock.coordination.records.CommitRequest;
import io.penstock.coordination.records.ContainerRecord;
import io.penstock.coordination.records.Decision;
import io.penstock.coordination.records.EpochRecord;
import io.penstock.coordination.records.JobSpec;
import io.penstock.coordination.records.JobState;
import io.penstock.coordination.records.RankProgress;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.data.Stat;

/**
 * Writes to the records of one job, each refused with {@link FencedException} once somebody newer
 * has taken over. Thread-safe.
 *
 * <h2>The fence</h2>
 *
 * The node {@code fence} has a version. Each attempt of the ApplicationMaster, and each generation
 * of containers that it starts, raises it by one; containers are told the version that they were
 * started with. Every write is one transaction with a check of that version, so that an old
 * ApplicationMaster or an orphaned container can't overwrite anything, whatever it believes.
 */
public final class FencedJob {
  /** Finished epochs, and decisions, that are kept. */
  static final int KEPT = 500;

  /** What the fence's node holds, to know one's own raise after an answer was lost. */
  record Fence(int attempt, String owner, int raises) {}

  private final Coordination coordination;
  private final CuratorFramework client;
  private final Layout layout;
  private final String application;
  private final int fence;

  FencedJob(Coordination coordination, String application, int fence) {
    this.coordination = coordination;
    this.client = coordination.client();
    this.layout = coordination.layout();
    this.application = application;
    this.fence = fence;
  }

  static FencedJob takeOver(
      Coordination coordination, String application, int attempt, String owner) {
    String path = coordination.layout().fence(application);
    CuratorFramework client = coordination.client();
    byte[] mine = Json.bytes(path, new Fence(attempt, owner, 0));
    int version =
        coordination.call(
            path,
            () -> {
              while (true) {
                try {
                  Stat stat = new Stat();
                  Fence now =
                      Json.read(
                          path, client.getData().storingStatIn(stat).forPath(path), Fence.class);
                  if (now.attempt() > attempt) {
                    throw new FencedException(
                        "a later attempt has taken over: mine="
                            + attempt
                            + " now="
                            + now.attempt()
                            + " node="
                            + path);
                  }
                  return client
                      .setData()
                      .withVersion(stat.getVersion())
                      .forPath(path, mine)
                      .getVersion();
                } catch (KeeperException.NoNodeException e) {
                  createPersistent(client, path, mine);
                } catch (KeeperException.BadVersionException e) {
                  // Somebody raised it since it was read, or an answer was lost: look again.
                  continue;
                }
              }
            });
    FencedJob job = new FencedJob(coordination, application, version);
    job.makeRoom(coordination.layout().containers(application));
    job.makeRoom(coordination.layout().decisions(application));
    return job;
  }

  /** The version that guards these writes; containers are started with it. */
  public int fence() {
    return fence;
  }

  /**
   * Shuts out the containers of the generations so far.
   *
   * @return for this attempt's writes from now on, and for the containers to come
   */
  public FencedJob raise() {
    String path = layout.fence(application);
    int version =
        coordination.call(
            path,
            () -> {
              Stat stat = new Stat();
              Fence now =
                  Json.read(path, client.getData().storingStatIn(stat).forPath(path), Fence.class);
              checkVersion(stat.getVersion());
              Fence next = new Fence(now.attempt(), now.owner(), now.raises() + 1);
              try {
                return client
                    .setData()
                    .withVersion(fence)
                    .forPath(path, Json.bytes(path, next))
                    .getVersion();
              } catch (KeeperException.BadVersionException e) {
                Fence after =
                    Json.read(
                        path, client.getData().storingStatIn(stat).forPath(path), Fence.class);
                if (after.equals(next)) {
                  return stat.getVersion();
                }
                throw fenced(stat.getVersion());
              }
            });
    return new FencedJob(coordination, application, version);
  }

  public void writeSpec(JobSpec spec) {
    for (String feed : spec.feeds().keySet()) {
      makeRoom(layout.ranks(application, feed));
      makeRoom(layout.progress(application, feed));
      makeRoom(layout.epochs(application, feed));
    }
    put(layout.spec(application), spec);
  }

  public void writeState(JobState state) {
    put(layout.state(application), state);
  }

  /** Asks all training steps to commit; an earlier request is forgotten. */
  public void writeCommitRequest(CommitRequest request) {
    put(layout.commit(application), request);
  }

  public void writeAgreed(String feed, Agreed agreed) {
    put(layout.agreed(application, feed), agreed);
  }

  public void writeAssignment(String feed, Assignment assignment) {
    put(layout.rank(application, feed, assignment.rank()), assignment);
  }

  /** Removes the assignments and the progress of ranks from {@code ranks} on. */
  public void removeRanks(String feed, int ranks) {
    for (String parent :
        List.of(layout.ranks(application, feed), layout.progress(application, feed))) {
      for (String rank : coordination.list(parent)) {
        if (Integer.parseInt(rank) >= ranks) {
          remove(parent + "/" + rank);
        }
      }
    }
  }

  public void writeProgress(String feed, RankProgress progress) {
    put(layout.progress(application, feed, progress.rank()), progress);
  }

  /** Records a finished epoch; of the earlier ones the newest 500 are kept. */
  public void writeEpoch(String feed, EpochRecord epoch) {
    put(layout.epoch(application, feed, epoch.epoch()), epoch);
    if (epoch.epoch() >= KEPT) {
      remove(layout.epoch(application, feed, epoch.epoch() - KEPT));
    }
  }

  /** Records a decision; of the earlier ones the newest 500 are kept. */
  public void writeDecision(Decision decision) {
    put(layout.decision(application, decision.n()), decision);
    if (decision.n() > KEPT) {
      remove(layout.decision(application, decision.n() - KEPT));
    }
  }

  /** Says that this ApplicationMaster is at work, in place of an earlier one. */
  public Registration<AmRecord> register(AmRecord am) {
    return new Registration<>(coordination, this, layout.am(application), am);
  }

  /** Says that a container lives. */
  public Registration<ContainerRecord> register(ContainerRecord container) {
    return new Registration<>(
        coordination, this, layout.container(application, container.container()), container);
  }

  /** Refuses if somebody newer has taken over. */
  public void check() {
    String path = layout.fence(application);
    Stat stat = coordination.call(path, () -> client.checkExists().forPath(path));
    checkVersion(stat == null ? -1 : stat.getVersion());
  }

  /** Makes the node this session's ephemeral one, whoever had it. */
  void putEphemeral(String path, Object record) {
    byte[] bytes = Json.bytes(path, record);
    coordination.call(
        path,
        () -> {
          while (true) {
            Stat stat = client.checkExists().forPath(path);
            try {
              if (stat == null) {
                commit(
                    path,
                    client
                        .transactionOp()
                        .create()
                        .withMode(CreateMode.EPHEMERAL)
                        .forPath(path, bytes));
              } else if (stat.getEphemeralOwner() == coordination.session()) {
                commit(path, client.transactionOp().setData().forPath(path, bytes));
              } else {
                commit(path, client.transactionOp().delete().forPath(path));
                continue;
              }
              return null;
            } catch (KeeperException.NodeExistsException | KeeperException.NoNodeException e) {
              // It came or went since we looked: look again.
              continue;
            }
          }
        });
  }

  void remove(String path) {
    coordination.call(
        path,
        () -> {
          try {
            commit(path, client.transactionOp().delete().forPath(path));
          } catch (KeeperException.NoNodeException e) {
            return null;
          }
          return null;
        });
  }

  private void put(String path, Object record) {
    byte[] bytes = Json.bytes(path, record);
    coordination.call(
        path,
        () -> {
          while (true) {
            try {
              commit(path, client.transactionOp().setData().forPath(path, bytes));
              return null;
            } catch (KeeperException.NoNodeException e) {
              try {
                commit(path, client.transactionOp().create().forPath(path, bytes));
                return null;
              } catch (KeeperException.NodeExistsException exists) {
                // The answer to an earlier try was lost: set it.
                continue;
              }
            }
          }
        });
  }

  private void makeRoom(String path) {
    coordination.call(
        path,
        () -> {
          createPersistent(client, path, new byte[0]);
          return null;
        });
  }

  private static void createPersistent(CuratorFramework client, String path, byte[] bytes)
      throws Exception {
    try {
      client.create().creatingParentsIfNeeded().forPath(path, bytes);
    } catch (KeeperException.NodeExistsException e) {
      // As wanted.
      return;
    }
  }

  private void commit(String path, CuratorOp op) throws Exception {
    String fencePath = layout.fence(application);
    CuratorOp check = client.transactionOp().check().withVersion(fence).forPath(fencePath);
    try {
      client.transaction().forOperations(check, op);
    } catch (KeeperException e) {
      if (e.getResults() != null
          && !e.getResults().isEmpty()
          && e.getResults().get(0) instanceof OpResult.ErrorResult first
          && (first.getErr() == KeeperException.Code.BADVERSION.intValue()
              || first.getErr() == KeeperException.Code.NONODE.intValue())) {
        FencedException fenced =
            new FencedException(
                "a later attempt or generation has taken over: fence=" + fence + " node=" + path);
        fenced.initCause(e);
        throw fenced;
      }
      throw e;
    }
  }

  private void checkVersion(int version) {
    if (version != fence) {
      throw fenced(version);
    }
  }

  private FencedException fenced(int version) {
    return new FencedException(
        "a later attempt or generation has taken over: fence="
            + fence
            + " now="
            + version
            + " node="
            + layout.fence(application));
  }
}
