package io.penstock.container;

import io.penstock.container.slots.StepRecord;
import io.penstock.coordination.records.Commit;
import io.penstock.coordination.records.CommitLog;
import io.penstock.coordination.records.Failure;
import io.penstock.coordination.records.Phase;
import io.penstock.coordination.records.Quarantined;
import io.penstock.coordination.records.RankEpoch;
import io.penstock.coordination.records.RankProgress;
import io.penstock.coordination.records.Sums;
import io.penstock.history.CertificateLog;
import io.penstock.lifecycle.Clock;
import io.penstock.model.Cursor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a rank has delivered and committed in this generation, and where its time went. The training
 * thread writes, the reporting thread reads; thread-safe.
 */
final class RankBooks {
  private static final double NANOS = 1e9;

  /** What files and reasons of quarantined row groups may take of a record of 256 KiB. */
  private static final int QUARANTINED_CHARACTERS = 40_000;

  /** A wait shorter than this is no stall: the batch was there. */
  private static final long STALL_NANOS = 1_000_000;

  /** Figures of storage that the loading stage counts. */
  interface StorageCounters {
    /** Bytes read from the file system so far. */
    long bytes();

    /** Reads that were tried again so far. */
    long retries();
  }

  private static final class EpochBook {
    private final long epoch;
    private Sums sums = Sums.NONE;
    private long nanos;
    private long waitNanos;
    private long bytes;
    private long retries;
    private Optional<Double> loss = Optional.empty();

    EpochBook(long epoch) {
      this.epoch = epoch;
    }

    RankEpoch record() {
      return new RankEpoch(epoch, sums, bytes, nanos / NANOS, waitNanos / NANOS, retries, loss);
    }
  }

  private final Clock clock;
  private final StorageCounters storage;

  // All guarded by this.
  private final List<EpochBook> epochs = new ArrayList<>();
  private final CommitLog commits = new CommitLog();
  private final Map<Integer, Quarantined> quarantined = new LinkedHashMap<>();
  private Optional<CertificateLog> certificates = Optional.empty();
  private Cursor cursor;
  private Sums total = Sums.NONE;
  private long stalls;
  private Map<String, String> stepReport = new HashMap<>();
  private long lastNanos;
  private long bytesBefore;
  private long retriesBefore;
  private long reportNanos;
  private long reportRows;
  private long reportWait;
  private double rowsPerSecond;
  private long totalRows;
  private long totalNanos;
  private long totalWait;
  private Cursor agreed;

  /** What has to be agreed on until no commit is wanted any more. */
  private Optional<Cursor> wanted = Optional.empty();

  private double waitShare;

  RankBooks(Cursor start, StorageCounters storage, Clock clock) {
    this.cursor = start;
    this.agreed = start;
    this.storage = storage;
    this.clock = clock;
    this.lastNanos = clock.nanoTime();
    this.reportNanos = lastNanos;
  }

  /** Keeps sums of every block of steps besides; before the first step. */
  synchronized void alsoIn(CertificateLog log) {
    certificates = Optional.of(log);
  }

  /** A batch reached the training step. */
  synchronized void taken(StepRecord record, long waitedNanos, long steps) {
    EpochBook book = book(record.epoch());
    book.sums = book.sums.plus(sums(record));
    total = total.plus(sums(record));
    certificates.ifPresent(log -> log.delivered(record.epoch(), record.step(), sums(record)));
    long bytes = storage.bytes();
    long retries = storage.retries();
    book.bytes += bytes - bytesBefore;
    book.retries += retries - retriesBefore;
    bytesBefore = bytes;
    retriesBefore = retries;
    book.waitNanos += waitedNanos;
    spend(book);
    reportRows += record.rows();
    reportWait += waitedNanos;
    totalRows += record.rows();
    totalWait += waitedNanos;
    if (waitedNanos > STALL_NANOS) {
      stalls++;
    }
    cursor = Cursor.after(record.epoch(), record.step(), steps);
  }

  /** The training step is done with its batch. */
  synchronized void stepped(StepRecord record) {
    spend(book(record.epoch()));
  }

  private void spend(EpochBook book) {
    long now = clock.nanoTime();
    book.nanos += now - lastNanos;
    totalNanos += now - lastNanos;
    lastNanos = now;
  }

  private EpochBook book(long epoch) {
    EpochBook last = epochs.isEmpty() ? null : epochs.get(epochs.size() - 1);
    if (last == null || last.epoch != epoch) {
      last = new EpochBook(epoch);
      epochs.add(last);
    }
    return last;
  }

  private static Sums sums(StepRecord record) {
    return new Sums(
        record.rows(),
        record.padding(),
        record.rowsFromStorage(),
        record.rowsFromCache(),
        record.order(),
        record.values());
  }

  /** Everything before {@code next} is committed. */
  synchronized void committed(Cursor next) {
    Sums partial =
        epochs.stream()
            .filter(book -> book.epoch == next.epoch())
            .map(book -> book.sums)
            .findFirst()
            .orElse(Sums.NONE);
    commits.add(new Commit(next, partial));
  }

  /** All ranks have committed {@code agreed}: what lies before it need not be kept. */
  synchronized void agreed(Cursor agreed) {
    this.agreed = agreed;
    wanted = wanted.filter(least -> agreed.compareTo(least) < 0);
    commits.passed(agreed);
    epochs.removeIf(book -> book.epoch < agreed.epoch() && book != epochs.get(epochs.size() - 1));
  }

  /** Somebody wants a commit of the step in work or a later one, of all ranks. */
  synchronized void wantCommit() {
    wanted = Optional.of(cursor).filter(least -> agreed.compareTo(least) < 0);
  }

  /** Whether the ranks have yet to agree on what {@link #wantCommit} asked for. */
  synchronized boolean isCommitWanted() {
    return wanted.isPresent();
  }

  /** The training step tells something of itself: {@code loss.EPOCH} and {@code weights}. */
  synchronized void stepReport(Map<String, String> report) {
    stepReport = new HashMap<>(report);
    for (EpochBook book : epochs) {
      String loss = stepReport.get("loss." + book.epoch);
      if (loss != null) {
        book.loss = Optional.of(Double.valueOf(loss));
      }
    }
  }

  /** A row group is delivered as not valid. */
  synchronized void quarantined(Quarantined rowGroup) {
    quarantined.putIfAbsent(rowGroup.rowGroup(), rowGroup);
  }

  /** The next step that the training step will get. */
  synchronized Cursor cursor() {
    return cursor;
  }

  /** What to tell the others now; {@code interval} says what its figures of speed are about. */
  synchronized RankProgress progress(
      RankName name, Phase phase, Optional<Failure> failure, Lately interval) {
    if (interval == Lately.BEGINS_ANEW) {
      long now = clock.nanoTime();
      double seconds = (now - reportNanos) / NANOS;
      if (seconds > 0) {
        rowsPerSecond = reportRows / seconds;
        waitShare = Math.min(1, reportWait / NANOS / seconds);
      }
      reportNanos = now;
      reportRows = 0;
      reportWait = 0;
    } else if (interval == Lately.WHOLE_GENERATION && totalNanos > 0) {
      rowsPerSecond = totalRows / (totalNanos / NANOS);
      waitShare = Math.min(1, (double) totalWait / totalNanos);
    }
    long delivered = total.fromCache() + total.fromStorage();
    return new RankProgress(
        name.slice().rank(),
        name.slice().ranks(),
        name.identity().generation(),
        name.identity().container(),
        name.identity().host(),
        name.device(),
        phase,
        cursor,
        commits.commits(),
        epochs.stream().map(EpochBook::record).toList(),
        rowsPerSecond,
        waitShare,
        delivered == 0 ? 0 : (double) total.fromCache() / delivered,
        storage.retries(),
        stalls,
        listed(),
        quarantined.values().stream().mapToLong(Quarantined::rows).sum(),
        failure,
        Optional.ofNullable(stepReport.get("weights")),
        clock.currentTimeMillis());
  }

  /** As many quarantined row groups as a record has room for. */
  private List<Quarantined> listed() {
    List<Quarantined> list = new ArrayList<>();
    int room = QUARANTINED_CHARACTERS;
    for (Quarantined bad : quarantined.values()) {
      room -= bad.file().length() + bad.reason().length();
      if (room < 0 || list.size() == RankProgress.QUARANTINED_LISTED) {
        break;
      }
      list.add(bad);
    }
    return list;
  }

  /** What figures of speed are about. */
  enum Lately {
    /** As they were last. */
    GOES_ON,
    /** The time since they last began anew. */
    BEGINS_ANEW,
    /** All of the generation; in a rank's last report. */
    WHOLE_GENERATION
  }
}
