package io.penstock.container;

import io.penstock.config.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;

/**
 * A job that a seed draws: what it delivers, with which settings, on how many ranks, and how it is
 * disturbed.
 *
 * @param feed the feed file, as JSON
 * @param batch rows of the global batch
 * @param settings names and values, without those of a folder
 * @param memory what loading may take
 * @param generations rising; the last one is left alone
 * @param commits when the training step commits
 * @param cache whether ranks have one
 * @param history whether ranks write certificate files
 */
record RunCase(
    long seed,
    String feed,
    int batch,
    Map<String, String> settings,
    Memory memory,
    List<Generation> generations,
    Commits commits,
    Cache cache,
    History history) {
  /** No more ranks than that, to keep a case short. */
  private static final int MOST_RANKS = 6;

  /** Heap that a rank is said to have. */
  static final long HEAP_BYTES = 1L << 30;

  private static final Map<String, String> TENSORS =
      new TreeMap<>(
          Map.of(
              "id", "{'column': 'id', 'dtype': 'int64'}",
              "pair",
                  "{'columns': ['small', 'real'], 'dtype': 'float32',"
                      + " 'ops': [{'fill': {'value': -1.5, 'nan': true}}]}",
              "word",
                  "{'column': 'word', 'dtype': 'int32',"
                      + " 'ops': [{'fill': 'none'}, {'hash': {'buckets': 1000}}]}",
              "items",
                  "{'column': 'items', 'dtype': 'int16',"
                      + " 'ops': [{'fill': 0}, {'pad': {'length': 3, 'value': 7}}]}",
              "vector", "{'column': 'vector', 'dtype': 'float16', 'shape': [4]}",
              "flag", "{'column': 'flag', 'dtype': 'bool'}",
              "price", "{'column': 'price', 'dtype': 'float64', 'mask': true}",
              "at", "{'column': 'at', 'dtype': 'int64'}",
              "once", "{'column': 'once', 'dtype': 'int32'}"));

  /** What loading may take. */
  enum Memory {
    /** As much as it likes. */
    ROOMY,
    /** The least that the plan says suffices. */
    LEAST
  }

  /** When the training step commits. */
  enum Commits {
    /** Never: so at the end of each epoch. */
    NEVER,
    /** At the same steps on all ranks. */
    TOGETHER,
    /** Each rank at steps of its own. */
    APART
  }

  /** Whether there is a cache. */
  enum Cache {
    NONE,
    KEPT
  }

  /** Whether there are certificate files. */
  enum History {
    NONE,
    KEPT
  }

  /**
   * Ranks that are started together.
   *
   * @param ranks W
   * @param end how it ends
   * @param after how many turns of ranks before that, as a share of what the job may take
   */
  record Generation(int ranks, End end, double after) {}

  /** How a generation ends. */
  enum End {
    /** With the job's last step. */
    DONE,
    /** A rank is killed; the others go on for a while and are then stopped. */
    KILLED,
    /** All are killed at once. */
    ALL_KILLED,
    /** Storage fails for good under one rank. */
    STORAGE_FAILED
  }

  /** Draws a case. */
  static RunCase of(long seed, List<NumPyOracle.Dataset> datasets) {
    Random random = new Random(seed);
    NumPyOracle.Dataset dataset = datasets.get(random.nextInt(datasets.size()));
    int lanes = 1 + random.nextInt((int) Math.min(6, dataset.rows()));
    long laneRows = dataset.rows() / lanes;
    int laneBatch = (int) Math.max(1, Math.min(laneRows, laneRows / (1 + random.nextInt(30))));
    int batch = lanes * laneBatch;
    List<String> names = new ArrayList<>(TENSORS.keySet());
    while (names.size() > 1 && random.nextInt(6) > 0) {
      names.remove(random.nextInt(names.size()));
    }
    String feed = feed(random, dataset, lanes, batch, names);
    boolean cached = random.nextBoolean();
    return new RunCase(
        seed,
        feed,
        batch,
        settings(random, dataset.rows()),
        random.nextInt(3) == 0 ? Memory.LEAST : Memory.ROOMY,
        generations(random, batch),
        Commits.values()[random.nextInt(3)],
        cached ? Cache.KEPT : Cache.NONE,
        random.nextInt(4) == 0 ? History.KEPT : History.NONE);
  }

  private static String feed(
      Random random, NumPyOracle.Dataset dataset, int lanes, int batch, List<String> names) {
    long seed = random.nextInt(8) == 0 ? 0 : random.nextLong() >>> 1;
    String tensors =
        String.join(
            ", ", names.stream().map(name -> "'" + name + "': " + TENSORS.get(name)).toList());
    String quarantine =
        names.contains("once") ? ", 'bad_row_group': 'quarantine', 'max_bad_rows': 1.0" : "";
    return ("{'penstock': 1, 'dataset': {'paths': ['%s']%s}, 'order': {'seed': %d, 'lanes': %d,"
            + " 'batch': %d, 'window': %d, 'shuffle': '%s', 'deal': '%s', 'remainder': '%s',"
            + " 'epochs': %d}, 'tensors': {%s}}")
        .formatted(
            dataset.path(),
            quarantine,
            seed,
            lanes,
            batch,
            1 + random.nextInt(5),
            List.of("none", "row-groups", "rows", "rows").get(random.nextInt(4)),
            random.nextBoolean() ? "fixed" : "epoch",
            random.nextBoolean() ? "drop" : "pad",
            1 + random.nextInt(3),
            tensors)
        .replace('\'', '"');
  }

  private static Map<String, String> settings(Random random, long rows) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("penstock.load.workers", Integer.toString(1 + random.nextInt(4)));
    settings.put("penstock.load.queue", Integer.toString(1 + random.nextInt(3)));
    settings.put("penstock.load.read-ahead", Integer.toString(random.nextInt(6)));
    settings.put("penstock.batch.workers", Integer.toString(1 + random.nextInt(3)));
    settings.put("penstock.batch.slots", Integer.toString(1 + random.nextInt(4)));
    settings.put("penstock.device.buffers", Integer.toString(2 + random.nextInt(2)));
    settings.put("penstock.fetch.threads", Integer.toString(1 + random.nextInt(4)));
    settings.put("penstock.fetch.max-read", random.nextBoolean() ? "4k" : "32m");
    settings.put("penstock.fetch.merge-gap", random.nextBoolean() ? "0" : "256k");
    settings.put("penstock.decode.footer-memory", random.nextInt(5) == 0 ? "0" : "1m");
    settings.put("penstock.decode.page-checksums", random.nextBoolean() ? "verified" : "ignored");
    settings.put("penstock.cache.record-size", random.nextBoolean() ? "1k" : "1m");
    settings.put("penstock.cache.memory", "1m");
    settings.put("penstock.cache.max-disk-share", "1");
    // Nothing, less than an empty store takes, some row groups, all of them.
    long some = (300L << 10) + (long) (random.nextDouble() * rows * 60);
    settings.put(
        "penstock.cache.quota",
        List.of("0", "10000", Long.toString(some), Long.toString(some), "64m")
            .get(random.nextInt(5)));
    settings.put("penstock.history.block-steps", Integer.toString(1 + random.nextInt(9)));
    return settings;
  }

  private static List<Generation> generations(Random random, int batch) {
    int[] divisors =
        IntStream.rangeClosed(1, Math.min(batch, MOST_RANKS))
            .filter(ranks -> batch % ranks == 0)
            .toArray();
    int ranks = fewRather(random, divisors);
    List<Generation> generations = new ArrayList<>();
    for (int kills = List.of(0, 1, 1, 1, 2, 3).get(random.nextInt(6)); kills > 0; kills--) {
      End end =
          List.of(End.KILLED, End.KILLED, End.ALL_KILLED, End.STORAGE_FAILED)
              .get(random.nextInt(4));
      generations.add(new Generation(ranks, end, random.nextDouble()));
      ranks = random.nextBoolean() ? ranks : fewRather(random, divisors);
    }
    generations.add(new Generation(ranks, End.DONE, 1));
    return generations;
  }

  private static int fewRather(Random random, int[] rising) {
    return rising[Math.min(random.nextInt(rising.length), random.nextInt(rising.length))];
  }

  /** The settings of one generation. */
  Settings settings(PreparedFeed prepared, int ranks, String cacheFolder) {
    Configuration configuration = new Configuration(false);
    settings.forEach(configuration::set);
    configuration.set("penstock.cache.dirs", cacheFolder);
    configuration.setBoolean("penstock.cache.enabled", cache == Cache.KEPT);
    configuration.set("penstock.load.memory", "256m");
    if (memory == Memory.LEAST) {
      MemoryNeed need = MemoryNeed.of(prepared, ranks, HEAP_BYTES, Settings.read(configuration));
      configuration.setLong("penstock.load.memory", need.windowBytes() + need.workBytes());
    }
    return Settings.read(configuration);
  }
}
