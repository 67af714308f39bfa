package io.penstock.container;

import io.penstock.am.core.OpenLedger;
import io.penstock.config.Settings;
import io.penstock.container.RankBooks.Lately;
import io.penstock.container.cache.TensorCache;
import io.penstock.container.device.HostMemoryDevice;
import io.penstock.container.fetch.Fetcher;
import io.penstock.container.tensors.RowGroupSource;
import io.penstock.container.tensors.RowGroupTensors;
import io.penstock.container.trainer.Batch;
import io.penstock.container.trainer.TrainingContext;
import io.penstock.container.trainer.TrainingStep;
import io.penstock.coordination.Json;
import io.penstock.coordination.records.EpochRecord;
import io.penstock.coordination.records.Phase;
import io.penstock.history.CertificateHeader;
import io.penstock.history.CertificateLog;
import io.penstock.history.HistoryFolder;
import io.penstock.lifecycle.Resources;
import io.penstock.lifecycle.TestingClock;
import io.penstock.model.Cursor;
import io.penstock.model.RankSlice;
import io.penstock.model.RowGroupRef;
import io.penstock.model.UnreachableException;
import io.penstock.yarn.RankIdentity;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/**
 * A job in one process: every rank with its whole data plane, caches and certificate files, and the
 * ApplicationMaster's ledger.
 *
 * <h2>Turns</h2>
 *
 * The training threads stop at each step, before and after a commit is stored. When all that live
 * have stopped (their data planes go on), one of them gets a turn; which one, and what is reported,
 * told or killed between two turns, the case's seed draws. So the order of everything that ranks
 * and ApplicationMaster tell each other is the seed's, and time passes between turns alone.
 *
 * <h2>Killing</h2>
 *
 * A rank is killed where its training thread stands: nothing of it is reported any more. Its
 * threads must be ended in order, since they share this process; but its cache is then, for every
 * second one, put back to how it lay on disk while its workers were still writing.
 */
final class InterleavedRanks {
  private static final Duration STUCK = Duration.ofSeconds(60);
  private static final String FEED = "train";
  private static final String KEY = "key";

  /** What a rank dies of. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;

    Killed() {
      super("killed", null, false, false);
    }
  }

  private enum State {
    RUNNING,
    STOPPED,
    ENDED
  }

  private final RunCase drawn;
  private final PreparedFeed feed;
  private final Path folder;
  private final Random random;
  private final TestingClock clock = new TestingClock();
  private final OpenLedger ledger;
  private final Map<Long, EpochRecord> finished = new TreeMap<>();
  private final Map<Long, Long> delivered = new TreeMap<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /**
   * @param folder for caches and history; to be deleted by the caller
   */
  InterleavedRanks(RunCase drawn, PreparedFeed feed, Path folder) {
    this.drawn = drawn;
    this.feed = feed;
    this.folder = folder;
    this.random = new Random(~drawn.seed());
    this.ledger =
        new OpenLedger(
            drawn.generations().get(0).ranks(),
            drawn.batch(),
            feed.plan().steps(),
            feed.feed().epochs(),
            feed.plan().rows());
  }

  /**
   * Runs the job to its end.
   *
   * @return what the ApplicationMaster wrote of each epoch
   */
  Map<Long, EpochRecord> run() throws Exception {
    int number = 0;
    for (RunCase.Generation generation : drawn.generations()) {
      number++;
      if (new Running(generation, number).run()) {
        return finished;
      }
      if (random.nextInt(6) == 0) {
        delete(folder.resolve("cache"));
      }
    }
    throw new AssertionError("the job is not done after its last generation: " + ledger.agreed());
  }

  /** Rows that training steps got of an epoch, all generations together. */
  long delivered(long epoch) {
    return delivered.getOrDefault(epoch, 0L);
  }

  /** Where the ranks' certificate files lie. */
  HistoryFolder history() {
    return new HistoryFolder(folder.resolve("history").toUri().toString(), "application_1_0001");
  }

  private static void delete(Path tree) throws IOException {
    if (Files.exists(tree)) {
      try (Stream<Path> files = Files.walk(tree)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  /** One generation of ranks. */
  private final class Running {
    private final RunCase.Generation generation;
    private final int number;
    private final Cursor start;
    private final Settings settings;
    private final MemoryNeed memory;
    private final List<Rank> ranks = new ArrayList<>();
    private boolean ending;
    private int turnsLeft;

    Running(RunCase.Generation generation, int number) {
      this.generation = generation;
      this.number = number;
      this.start = ledger.begin(number, generation.ranks());
      this.settings = drawn.settings(feed, generation.ranks(), folder.resolve("cache").toString());
      this.memory = MemoryNeed.of(feed, generation.ranks(), RunCase.HEAP_BYTES, settings);
    }

    /**
     * @return whether the job is done
     */
    boolean run() throws Exception {
      long steps = (feed.feed().epochs() - start.epoch()) * feed.plan().steps() - start.step();
      int turns = (int) (generation.after() * steps * generation.ranks() * 1.2);
      for (int r = 0; r < generation.ranks(); r++) {
        ranks.add(new Rank(new RankSlice(r, generation.ranks())));
      }
      if (generation.end() == RunCase.End.STORAGE_FAILED) {
        ranks.get(random.nextInt(ranks.size())).readsLeft.set(turns / generation.ranks() / 4);
      }
      ranks.forEach(rank -> rank.thread.start());
      try {
        for (int turn = 0; awaitStopped(); turn++) {
          between(turn, turns);
        }
      } finally {
        ranks.forEach(Rank::kill);
        for (Rank rank : ranks) {
          rank.thread.join(STUCK.toMillis());
        }
      }
      for (Rank rank : ranks) {
        rank.putCacheBack();
      }
      if (random.nextInt(3) == 0) {
        ledger.anew();
      }
      while (!ranks.isEmpty()) {
        tell(ranks.remove(random.nextInt(ranks.size())));
      }
      return ledger.isComplete();
    }

    /**
     * Waits until nobody moves.
     *
     * @return whether anybody lives
     */
    private boolean awaitStopped() throws Exception {
      lock.lock();
      try {
        long left = STUCK.toNanos();
        while (ranks.stream().anyMatch(rank -> rank.state == State.RUNNING)) {
          if (left <= 0) {
            throw new AssertionError("stuck: " + whatTheyWaitFor());
          }
          left = changed.awaitNanos(left);
        }
        for (Rank rank : ranks) {
          if (rank.failure != null) {
            throw new AssertionError(
                "rank %d of generation %d failed".formatted(rank.slice.rank(), number),
                rank.failure);
          }
        }
        return ranks.stream().anyMatch(rank -> rank.state == State.STOPPED);
      } finally {
        lock.unlock();
      }
    }

    /** Lets all deadlines pass: each wait then says what it was for. */
    private List<String> whatTheyWaitFor() throws InterruptedException {
      List<String> words = new ArrayList<>();
      List<Thread> stuck =
          ranks.stream().filter(r -> r.state == State.RUNNING).map(r -> r.thread).toList();
      lock.unlock();
      try {
        clock.advance(Duration.ofDays(2));
        for (Thread thread : stuck) {
          thread.join(10_000);
        }
      } finally {
        lock.lock();
      }
      ranks.stream().filter(r -> r.failure != null).forEach(r -> words.add(r.failure.toString()));
      return words;
    }

    private void between(int turn, int turns) throws IOException {
      List<Rank> living = ranks.stream().filter(rank -> rank.state == State.STOPPED).toList();
      Rank one = living.get(random.nextInt(living.size()));
      if (!ending && begins(turn, turns, one)) {
        ending = true;
        turnsLeft = generation.end() == RunCase.End.ALL_KILLED ? 0 : random.nextInt(20);
      }
      if (ending && turnsLeft-- <= 0) {
        for (Rank rank : living) {
          rank.takeImage();
          rank.kill();
        }
        return;
      }
      clock.advance(Duration.ofNanos(random.nextInt(3_000_000)));
      if (random.nextInt(4) == 0) {
        one.write(Phase.RUNNING);
      }
      if (random.nextInt(3) == 0) {
        tell(ranks.get(random.nextInt(ranks.size())));
      }
      if (random.nextInt(3) == 0) {
        ranks.get(random.nextInt(ranks.size())).hears(ledger.agreed());
      }
      if (random.nextInt(50) == 0) {
        ranks.forEach(Rank::wantCommit);
      }
      living.get(random.nextInt(living.size())).goOn();
    }

    /** Whether the generation's end begins now. */
    private boolean begins(int turn, int turns, Rank one) throws IOException {
      return switch (generation.end()) {
        case DONE -> false;
        case STORAGE_FAILED ->
            ranks.stream().anyMatch(rank -> rank.state == State.ENDED && !rank.done);
        case ALL_KILLED -> turn >= turns;
        case KILLED -> {
          if (turn >= turns) {
            one.takeImage();
            one.kill();
          }
          yield turn >= turns;
        }
      };
    }

    private void tell(Rank rank) {
      if (rank.written != null) {
        for (EpochRecord epoch : ledger.progress(rank.written)) {
          EpochRecord before = finished.put(epoch.epoch(), epoch);
          if (before != null) {
            throw new AssertionError("written twice: " + before + " and " + epoch);
          }
        }
      }
    }

    /** A rank. Its fields are written under the lock, or while its thread stands. */
    private final class Rank {
      private final RankSlice slice;
      private final Thread thread;
      private final AtomicInteger readsLeft = new AtomicInteger(Integer.MAX_VALUE);
      private volatile RankBooks books;
      private volatile String written;
      private volatile boolean done;
      private volatile Path image;
      private volatile State state = State.RUNNING;
      private volatile Throwable failure;
      private boolean mayGoOn;
      private boolean killed;

      Rank(RankSlice slice) {
        this.slice = slice;
        this.thread = new Thread(this::live, "rank-" + slice.rank());
      }

      private void live() {
        try {
          train();
          done = true;
          write(Phase.DONE);
        } catch (Killed e) {
          // As it was to be.
        } catch (Throwable e) {
          if (!isInjected(e)) {
            failure = e;
          }
        } finally {
          become(State.ENDED);
        }
      }

      private boolean isInjected(Throwable failed) {
        return readsLeft.get() < 0 && failed instanceof UnreachableException;
      }

      private void train() throws Exception {
        Resources open = new Resources();
        try {
          Fetcher fetcher = open.add(new Fetcher(new Configuration(false), settings.fetch()));
          Optional<TensorCache> cache = Optional.empty();
          if (drawn.cache() == RunCase.Cache.KEPT) {
            CacheFolders folders =
                CacheFolders.open(
                    settings.cache(), slice.rank(), KEY, feed.bound().specs(), 1 << 20);
            cache = Optional.of(open.add(folders).cache());
          }
          StoredRowGroups stored =
              open.add(
                  new StoredRowGroups(
                      feed,
                      Path::of,
                      fetcher,
                      settings.decode(),
                      settings.batch().valuesDigest(),
                      cache,
                      (rowGroup, reason) -> {},
                      settings.load().workTimeout(),
                      clock));
          books = new RankBooks(start, stored, clock);
          Runnable kept = () -> {};
          if (drawn.history() == RunCase.History.KEPT) {
            CertificateLog certificates = open.add(certificates());
            books.alsoIn(certificates);
            kept = certificates::committed;
          }
          Runnable keep = kept;
          new RankRun(
                  feed,
                  slice,
                  start,
                  new Failing(stored, readsLeft),
                  memory,
                  new HostMemoryDevice(0),
                  new Stepping(),
                  books,
                  () -> {
                    stop();
                    keep.run();
                    write(Phase.RUNNING);
                    stop();
                  },
                  settings,
                  clock)
              .run();
        } catch (Throwable e) {
          open.closeAfter(e);
          throw e;
        }
        open.close();
      }

      private CertificateLog certificates() {
        return CertificateLog.open(
            history(),
            FEED,
            new CertificateHeader(
                slice,
                number,
                start,
                feed.plan().steps(),
                drawn.batch(),
                settings.history().blockSteps(),
                CertificateHeader.Values.ON,
                feed.feed().digest(),
                feed.catalog().digest()),
            new Configuration(false),
            settings.history().timeout(),
            clock);
      }

      /** Stops until this rank's next turn. */
      private void stop() {
        lock.lock();
        try {
          become(State.STOPPED);
          while (!mayGoOn && !killed) {
            changed.awaitUninterruptibly();
          }
          if (killed) {
            throw new Killed();
          }
          mayGoOn = false;
        } finally {
          lock.unlock();
        }
      }

      private void become(State next) {
        lock.lock();
        try {
          state = next;
          changed.signalAll();
        } finally {
          lock.unlock();
        }
      }

      void goOn() {
        lock.lock();
        try {
          if (state == State.STOPPED) {
            mayGoOn = true;
            become(State.RUNNING);
          }
        } finally {
          lock.unlock();
        }
      }

      void kill() {
        lock.lock();
        try {
          killed = true;
          if (state == State.STOPPED) {
            become(State.RUNNING);
          }
          changed.signalAll();
        } finally {
          lock.unlock();
        }
      }

      void hears(Cursor agreed) {
        if (books != null) {
          books.agreed(agreed);
        }
      }

      void wantCommit() {
        if (books != null) {
          books.wantCommit();
        }
      }

      void write(Phase phase) {
        RankIdentity identity =
            new RankIdentity(
                "application_1_0001",
                "c" + slice.rank(),
                "host",
                FEED,
                slice.rank(),
                number,
                1,
                1,
                RunCase.HEAP_BYTES);
        written =
            Json.text(
                books.progress(
                    new RankName(identity, slice, "host:0"),
                    phase,
                    Optional.empty(),
                    Lately.BEGINS_ANEW));
      }

      private Path cacheFolder() {
        return folder.resolve("cache").resolve("slot-" + slice.rank()).resolve(KEY);
      }

      /** Copies the cache as it lies on disk now, for every second rank. */
      void takeImage() throws IOException {
        if (drawn.cache() == RunCase.Cache.KEPT && !killed && random.nextBoolean()) {
          Path to = folder.resolve("image-" + number + "-" + slice.rank());
          Files.createDirectories(to);
          for (Path file : logs(cacheFolder())) {
            Files.copy(file, to.resolve(file.getFileName()));
          }
          image = to;
        }
      }

      void putCacheBack() throws IOException {
        if (image != null) {
          delete(cacheFolder());
          Files.move(image, cacheFolder());
        }
      }

      private List<Path> logs(Path from) throws IOException {
        try (Stream<Path> files = Files.list(from)) {
          return files.filter(file -> file.toString().endsWith(".jdb")).sorted().toList();
        }
      }

      /** Stops at each step and commits as the case says, and where a commit is wanted. */
      private final class Stepping implements TrainingStep {
        private TrainingContext context;
        private Cursor next = start;

        @Override
        public void open(TrainingContext given) {
          context = given;
          stop();
        }

        @Override
        public void step(Batch batch) {
          if (!next.equals(new Cursor(batch.epoch(), batch.step()))) {
            throw new AssertionError(
                "expected step %s, got %d:%d".formatted(next, batch.epoch(), batch.step()));
          }
          lock.lock();
          try {
            delivered.merge(batch.epoch(), (long) batch.rows(), Long::sum);
          } finally {
            lock.unlock();
          }
          stop();
          if (commits() || context.commits().isWanted()) {
            context.commits().commit();
          }
          next = Cursor.after(next.epoch(), next.step(), context.steps());
        }

        private boolean commits() {
          return switch (drawn.commits()) {
            case NEVER -> false;
            case TOGETHER -> draw(0);
            case APART -> draw(1 + slice.rank());
          };
        }

        private boolean draw(int whose) {
          long key = (next.epoch() * feed.plan().steps() + next.step()) * 100 + whose;
          return new SplittableRandom(drawn.seed() + key).nextInt(3) == 0;
        }
      }
    }
  }

  /** Storage that fails for good at some read. */
  private record Failing(RowGroupSource source, AtomicInteger readsLeft) implements RowGroupSource {
    @Override
    public Request request(RowGroupRef rowGroup) {
      return source.request(rowGroup);
    }

    @Override
    public Reader newReader() {
      Reader reader = source.newReader();
      return new Reader() {
        @Override
        public Loaded read(Request request) {
          if (readsLeft.getAndDecrement() <= 0) {
            throw new UnreachableException("storage failed", new FileSystemException("injected"));
          }
          return reader.read(request);
        }

        @Override
        public void close() {
          reader.close();
        }
      };
    }

    @Override
    public void giveBack(RowGroupTensors tensors) {
      source.giveBack(tensors);
    }

    @Override
    public long peakBytes(RowGroupRef rowGroup) {
      return source.peakBytes(rowGroup);
    }
  }
}
