package io.penstock.history;

import io.penstock.coordination.records.Sums;
import io.penstock.lifecycle.AgentRunner;
import io.penstock.lifecycle.Clock;
import io.penstock.lifecycle.DeadlineException;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate file of a rank, as the rank writes it: sums of every block of steps. Nothing that
 * happens to storage is thrown; {@link #committed} and {@link #close} wait for a while, and all
 * else returns at once. Belongs to the training thread.
 */
public final class CertificateLog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CertificateLog.class);

  private final BlockSums sums;
  private final CertificateWriter writer;
  private final AgentRunner runner;
  private final Duration timeout;

  private CertificateLog(
      CertificateHeader header, CertificateParts parts, Duration timeout, Clock clock) {
    this.sums = new BlockSums(header.blockSteps(), header.steps());
    this.writer = new CertificateWriter(header, parts, clock);
    this.runner =
        new AgentRunner(
            writer, clock, timeout, e -> LOG.warn("event=history-ended reason=\"{}\"", e, e));
    this.timeout = timeout;
  }

  /**
   * Starts the writing thread; the file is made with its first block.
   *
   * @param feed its name
   * @param timeout how long a commit or closing waits
   */
  public static CertificateLog open(
      HistoryFolder folder,
      String feed,
      CertificateHeader header,
      Configuration configuration,
      Duration timeout,
      Clock clock) {
    return start(
        header,
        new HadoopParts(
            configuration,
            folder,
            folder.certificate(feed, header.generation(), header.slice().rank()),
            timeout),
        timeout,
        clock);
  }

  static CertificateLog start(
      CertificateHeader header, CertificateParts parts, Duration timeout, Clock clock) {
    CertificateLog log = new CertificateLog(header, parts, timeout, clock);
    log.runner.start();
    return log;
  }

  /** A step was delivered; steps come in order. */
  public void delivered(long epoch, long step, Sums ofStep) {
    sums.add(epoch, step, ofStep).ifPresent(writer::add);
  }

  /** All that was delivered is committed: it is kept when this returns, unless storage is late. */
  public void committed() {
    sums.cut().ifPresent(writer::add);
    writer.keep(timeout);
  }

  /** Writes what is left and ends the thread, unless storage is late. */
  @Override
  public void close() {
    sums.cut().ifPresent(writer::add);
    writer.finish(timeout);
    try {
      runner.close();
    } catch (DeadlineException e) {
      LOG.warn("event=history-not-closed reason=\"{}\"", e.getMessage());
    }
  }
}
