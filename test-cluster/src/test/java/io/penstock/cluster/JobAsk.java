package io.penstock.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A {@code submit} as tests want it: in containers small enough for five at a time, and with
 * reports often enough to be waited for.
 *
 * @param words the command's arguments
 */
record JobAsk(List<String> words) {
  JobAsk {
    words = List.copyOf(words);
  }

  static JobAsk of(Path feed, int ranks) {
    return of(feed, Integer.toString(ranks));
  }

  /**
   * @param ranks {@code N} or {@code MIN:MAX}
   */
  static JobAsk of(Path feed, String ranks) {
    return small("--feed", feed.toString(), "--ranks", ranks);
  }

  /** A job that goes on from another. */
  static JobAsk resume(String application) {
    return small("--resume", application);
  }

  private static JobAsk small(String... what) {
    return new JobAsk(List.of("submit"))
        .option(what)
        .option("--memory", "512m")
        .option("--vcores", "1")
        .with("penstock.am.memory", "384m")
        .with("penstock.am.heartbeat", "200ms")
        .with("penstock.am.java-options", Penstock.SHORT_LIFE)
        .with("penstock.container.java-options", Penstock.SHORT_LIFE)
        .with("penstock.container.report-interval", "200ms");
  }

  JobAsk with(String setting, Object value) {
    return option("-D", setting + "=" + value);
  }

  JobAsk option(String... more) {
    List<String> all = new ArrayList<>(words);
    all.addAll(List.of(more));
    return new JobAsk(all);
  }

  String[] args() {
    return words.toArray(String[]::new);
  }
}
