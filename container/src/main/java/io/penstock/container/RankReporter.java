package io.penstock.container;

import io.penstock.container.RankBooks.Lately;
import io.penstock.coordination.FencedException;
import io.penstock.coordination.FencedJob;
import io.penstock.coordination.records.Failure;
import io.penstock.coordination.records.Phase;
import io.penstock.lifecycle.Agent;
import io.penstock.lifecycle.Clock;
import io.penstock.lifecycle.Deadline;
import io.penstock.lifecycle.Signal;
import io.penstock.model.UnreachableException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a rank's progress to ZooKeeper: every few seconds on a thread of its own, and at each
 * commit on the training thread, which goes on when it is stored. ZooKeeper that does not answer
 * for a while holds up commits alone.
 */
final class RankReporter implements Agent {
  private static final Logger LOG = LoggerFactory.getLogger(RankReporter.class);

  private final FencedJob job;
  private final RankName name;
  private final RankBooks books;
  private final Duration interval;
  private final Clock clock;
  private final Signal ending = new Signal();

  /**
   * @param interval time between two reports
   */
  RankReporter(FencedJob job, RankName name, RankBooks books, Duration interval, Clock clock) {
    this.job = job;
    this.name = name;
    this.books = books;
    this.interval = interval;
    this.clock = clock;
  }

  @Override
  public String role() {
    return "rank-reporter";
  }

  @Override
  public Next doWork() {
    if (ending.awaitUntil(Deadline.after(interval, clock))) {
      return Next.END;
    }
    try {
      write(Phase.RUNNING, Optional.empty(), Lately.BEGINS_ANEW);
    } catch (UnreachableException e) {
      LOG.warn("event=report-failed reason={}", e.getMessage());
    }
    return Next.AGAIN;
  }

  @Override
  public void wake() {
    ending.raise();
  }

  /**
   * Stores the books as they are now; returns when they are stored.
   *
   * @throws FencedException if a newer attempt or generation has taken over
   * @throws UnreachableException if ZooKeeper did not answer in time
   */
  synchronized void write(Phase phase, Optional<Failure> failure, Lately lately) {
    job.writeProgress(name.identity().feed(), books.progress(name, phase, failure, lately));
  }
}
