package io.penstock.cli.past;

import io.penstock.cli.console.CommandContext;
import io.penstock.cli.job.JobRecords;
import io.penstock.coordination.Coordination;
import io.penstock.coordination.JobStore;
import io.penstock.history.JobHistory;
import io.penstock.history.PastJob;
import io.penstock.model.UnreachableException;
import io.penstock.model.UsageException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A job that has a history: what it was, what it delivered and how far it came. ZooKeeper is asked
 * too where there is one, because what it says of a job that runs is newer; without it, history is
 * enough.
 */
public final class RecordedJob implements AutoCloseable {
  private final CommandContext context;
  private final PastJob past;
  private final JobHistory history;
  private final boolean running;
  private final List<PastJob> opened = new ArrayList<>();
  private final Set<String> problems = new HashSet<>();

  private RecordedJob(CommandContext context, PastJob past, JobHistory history, boolean running) {
    this.context = context;
    this.past = past;
    this.history = history;
    this.running = running;
  }

  /**
   * Opens a job's history.
   *
   * @throws io.penstock.model.UsageException if it has none
   * @throws UnreachableException if its file system was not reached
   */
  public static RecordedJob open(String application, CommandContext context) {
    PastJob past = PastJob.open(application, context.configuration(), context.settings().history());
    try {
      JobHistory history = past.history();
      boolean running = false;
      if (context.settings().zookeeper().quorum().isPresent()) {
        try (Coordination coordination = JobRecords.connect(context.settings())) {
          if (coordination.jobs().contains(application)) {
            JobStore store = coordination.job(application);
            history = history.with(store.report());
            running = store.am().isPresent();
          }
        } catch (UnreachableException e) {
          context.console().note("from history alone: " + e.getMessage());
        }
      }
      return new RecordedJob(context, past, history, running);
    } catch (RuntimeException e) {
      past.close();
      throw e;
    }
  }

  public String application() {
    return past.application();
  }

  /** What it came to. */
  public JobHistory history() {
    return history;
  }

  /** Whether its ApplicationMaster is at work. */
  public boolean isRunning() {
    return running;
  }

  /** Names of its feeds. */
  public List<String> feeds() {
    return List.copyOf(history.spec().feeds().keySet());
  }

  /**
   * A name that one of its feeds has.
   *
   * @throws UsageException if none has
   */
  public String feedNamed(String name) {
    if (!history.spec().feeds().containsKey(name)) {
      throw new UsageException(
          "job %s has no feed '%s'; it has %s"
              .formatted(application(), name, String.join(", ", feeds())));
    }
    return name;
  }

  /** A feed of it. */
  public RecordedFeed feed(String name) {
    return RecordedFeed.read(name, past, history, this::earlier, this::problem);
  }

  private void problem(String told) {
    if (problems.add(told)) {
      context.console().note(application() + ": " + told);
    }
  }

  /** The history of a job that this one, or one before, went on from; empty if it is gone. */
  private Optional<PastJob> earlier(String application) {
    for (PastJob open : opened) {
      if (open.application().equals(application)) {
        return Optional.of(open);
      }
    }
    try {
      PastJob job =
          PastJob.open(application, context.configuration(), context.settings().history());
      opened.add(job);
      return Optional.of(job);
    } catch (UsageException e) {
      context.console().note(e.getMessage());
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    opened.forEach(PastJob::close);
    past.close();
  }
}
