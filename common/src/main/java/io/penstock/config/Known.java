package io.penstock.config;

import static io.penstock.config.SettingType.count;
import static io.penstock.config.SettingType.duration;
import static io.penstock.config.SettingType.oneOf;
import static io.penstock.config.SettingType.optionalText;
import static io.penstock.config.SettingType.share;
import static io.penstock.config.SettingType.size;
import static io.penstock.config.SettingType.text;
import static io.penstock.config.SettingType.texts;
import static io.penstock.config.SettingType.words;
import static io.penstock.config.SettingType.yesOrNo;
import static io.penstock.config.SettingType.znode;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Every setting there is, with its default and its bounds.
 *
 * <p>A new one is a line here, a component of its record, and its entry in {@code
 * conf/penstock-default.xml}, which says what it means.
 */
final class Known {
  private static final Map<String, Setting<?>> ALL = new LinkedHashMap<>();

  /** Everything that begins so belongs to the training step, which checks it. */
  static final String STEP_PREFIX = "penstock.step.";

  static final Setting<Optional<String>> ZOOKEEPER_QUORUM =
      add("penstock.zookeeper.quorum", "${hadoop.zk.address}", optionalText());
  static final Setting<String> ZOOKEEPER_ROOT =
      add("penstock.zookeeper.root", "/penstock", znode());
  static final Setting<Duration> ZOOKEEPER_SESSION_TIMEOUT =
      add("penstock.zookeeper.session-timeout", "30s", duration("1s", "10m"));
  static final Setting<Duration> ZOOKEEPER_CONNECT_TIMEOUT =
      add("penstock.zookeeper.connect-timeout", "45s", duration("1s", "10m"));
  static final Setting<Duration> ZOOKEEPER_REQUEST_TIMEOUT =
      add("penstock.zookeeper.request-timeout", "20s", duration("1s", "10m"));

  static final Setting<Integer> CATALOG_THREADS =
      add("penstock.catalog.threads", "16", count(1, 256));
  static final Setting<Duration> CATALOG_TIMEOUT =
      add("penstock.catalog.timeout", "10m", duration("1s", "1d"));
  static final Setting<Duration> CATALOG_CONNECT_TIMEOUT =
      add("penstock.catalog.connect-timeout", "45s", duration("1s", "1h"));
  static final Setting<Long> CATALOG_MEMORY =
      add("penstock.catalog.memory", "256m", size("1m", "64g"));
  static final Setting<Long> CATALOG_FOOTER_CACHE =
      add("penstock.catalog.footer-cache", "64m", size("0", "64g"));
  static final Setting<String> CATALOG_FOOTER_CACHE_DIR =
      add("penstock.catalog.footer-cache-dir", ".penstock/footers", text());

  static final Setting<Integer> FETCH_THREADS = add("penstock.fetch.threads", "8", count(1, 256));
  static final Setting<Duration> FETCH_DEADLINE =
      add("penstock.fetch.deadline", "30s", duration("10ms", "1h"));
  static final Setting<Integer> FETCH_ATTEMPTS =
      add("penstock.fetch.attempts", "4", count(1, 1000));
  static final Setting<Duration> FETCH_BACKOFF =
      add("penstock.fetch.backoff", "1s", duration("0s", "10m"));
  static final Setting<Long> FETCH_MERGE_GAP =
      add("penstock.fetch.merge-gap", "256k", size("0", "64m"));
  static final Setting<Long> FETCH_MAX_READ =
      add("penstock.fetch.max-read", "32m", size("4k", "1g"));

  static final Setting<DecodeSettings.PageChecksums> DECODE_PAGE_CHECKSUMS =
      add("penstock.decode.page-checksums", "verified", oneOf(DecodeSettings.PageChecksums.class));
  static final Setting<Long> DECODE_FOOTER_MEMORY =
      add("penstock.decode.footer-memory", "32m", size("0", "64g"));

  static final Setting<Integer> LOAD_WORKERS = add("penstock.load.workers", "0", count(0, 1024));
  static final Setting<Integer> LOAD_QUEUE = add("penstock.load.queue", "2", count(1, 1024));
  static final Setting<Integer> LOAD_READ_AHEAD =
      add("penstock.load.read-ahead", "4", count(0, 1024));
  static final Setting<Long> LOAD_MEMORY = add("penstock.load.memory", "0", size("0", "64t"));
  static final Setting<Duration> LOAD_WORK_TIMEOUT =
      add("penstock.load.work-timeout", "10m", duration("100ms", "1d"));

  static final Setting<Boolean> CACHE_ENABLED = add("penstock.cache.enabled", "true", yesOrNo());
  static final Setting<List<String>> CACHE_DIRS =
      add("penstock.cache.dirs", "${hadoop.tmp.dir}/penstock/cache", texts());
  static final Setting<Long> CACHE_QUOTA = add("penstock.cache.quota", "10g", size("0", "1024t"));
  static final Setting<Long> CACHE_RECORD_SIZE =
      add("penstock.cache.record-size", "1m", size("1k", "64m"));
  static final Setting<Long> CACHE_MEMORY = add("penstock.cache.memory", "64m", size("1m", "64g"));
  static final Setting<Double> CACHE_MAX_DISK_SHARE =
      add("penstock.cache.max-disk-share", "0.85", share(0.01, 1));

  static final Setting<Integer> BATCH_WORKERS = add("penstock.batch.workers", "0", count(0, 1024));
  static final Setting<Integer> BATCH_SLOTS = add("penstock.batch.slots", "4", count(1, 1024));
  static final Setting<Duration> BATCH_WORK_TIMEOUT =
      add("penstock.batch.work-timeout", "10m", duration("100ms", "1d"));

  static final Setting<BatchSettings.ValuesDigest> BATCH_VALUES_DIGEST =
      add("penstock.batch.values-digest", "on", oneOf(BatchSettings.ValuesDigest.class));

  static final Setting<DeviceSettings.Kind> DEVICE_KIND =
      add("penstock.device.kind", "auto", oneOf(DeviceSettings.Kind.class));
  static final Setting<Integer> DEVICE_BUFFERS = add("penstock.device.buffers", "2", count(2, 64));

  static final Setting<String> TRAINER_STEP = add("penstock.trainer.step", "Synthetic", text());

  static final Setting<Long> CONTAINER_MEMORY =
      add("penstock.container.memory", "4g", size("64m", "64t"));
  static final Setting<Integer> CONTAINER_VCORES =
      add("penstock.container.vcores", "2", count(1, 1024));
  static final Setting<Integer> CONTAINER_GPUS = add("penstock.container.gpus", "1", count(0, 64));
  static final Setting<Double> CONTAINER_HEAP_SHARE =
      add("penstock.container.heap-share", "0.7", share(0.1, 0.95));
  static final Setting<List<String>> CONTAINER_JAVA_OPTIONS =
      add(
          "penstock.container.java-options",
          "-XX:+UseParallelGC -XX:+UseTransparentHugePages",
          words());
  static final Setting<Duration> CONTAINER_REPORT_INTERVAL =
      add("penstock.container.report-interval", "5s", duration("100ms", "10m"));
  static final Setting<Duration> CONTAINER_CLOSE_TIMEOUT =
      add("penstock.container.close-timeout", "30s", duration("1s", "1h"));

  static final Setting<Long> AM_MEMORY = add("penstock.am.memory", "1g", size("64m", "64t"));
  static final Setting<Integer> AM_VCORES = add("penstock.am.vcores", "1", count(1, 1024));
  static final Setting<Double> AM_HEAP_SHARE =
      add("penstock.am.heap-share", "0.7", share(0.1, 0.95));
  static final Setting<List<String>> AM_JAVA_OPTIONS = add("penstock.am.java-options", "", words());
  static final Setting<Integer> AM_ATTEMPTS = add("penstock.am.attempts", "3", count(1, 1000));
  static final Setting<Integer> AM_RESTARTS =
      add("penstock.am.restarts", "10", count(0, Integer.MAX_VALUE));
  static final Setting<Duration> AM_ALLOCATION_TIMEOUT =
      add("penstock.am.allocation-timeout", "15m", duration("1s", "30d"));
  static final Setting<Duration> AM_ELASTIC_WAIT =
      add("penstock.am.elastic-wait", "2m", duration("0s", "30d"));
  static final Setting<Duration> AM_REGISTRATION_TIMEOUT =
      add("penstock.am.registration-timeout", "5m", duration("1s", "1d"));
  static final Setting<Duration> AM_HEARTBEAT =
      add("penstock.am.heartbeat", "1s", duration("50ms", "1m"));

  static final Setting<String> SUBMIT_STAGING_DIR =
      add("penstock.submit.staging-dir", ".penstock/staging", text());
  static final Setting<String> SUBMIT_DISTRIBUTION_DIR =
      add("penstock.submit.distribution-dir", ".penstock/distribution", text());
  static final Setting<Optional<String>> SUBMIT_QUEUE =
      add("penstock.submit.queue", "", optionalText());
  static final Setting<Integer> SUBMIT_PRIORITY =
      add("penstock.submit.priority", "0", count(0, Integer.MAX_VALUE));
  static final Setting<Optional<String>> SUBMIT_NODE_LABEL =
      add("penstock.submit.node-label", "", optionalText());
  static final Setting<Duration> SUBMIT_CONNECT_TIMEOUT =
      add("penstock.submit.connect-timeout", "30s", duration("1s", "1h"));

  static final Setting<Optional<String>> JAVA_HOME = add("penstock.java.home", "", optionalText());

  static final Setting<String> HISTORY_DIR =
      add("penstock.history.dir", ".penstock/history", text());
  static final Setting<Duration> HISTORY_RETENTION =
      add("penstock.history.retention", "90d", duration("1h", "36500d"));
  static final Setting<Integer> HISTORY_BLOCK_STEPS =
      add("penstock.history.block-steps", "64", count(1, 1 << 20));
  static final Setting<Duration> HISTORY_TIMEOUT =
      add("penstock.history.timeout", "10s", duration("100ms", "10m"));

  private Known() {}

  /** Every setting by name, in the order of this page. */
  static Map<String, Setting<?>> all() {
    return Collections.unmodifiableMap(ALL);
  }

  private static <T> Setting<T> add(String name, String standard, SettingType<T> type) {
    Setting<T> setting = new Setting<>(name, standard, type);
    if (ALL.put(name, setting) != null) {
      throw new IllegalStateException("a setting twice: " + name);
    }
    return setting;
  }
}
