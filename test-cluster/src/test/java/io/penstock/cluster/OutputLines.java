package io.penstock.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** What a process prints, read by a thread of its own; waiters are woken at every line. */
final class OutputLines {
  private final List<String> lines = new ArrayList<>(); // guarded by this
  private boolean ended; // guarded by this
  private final Thread reader;

  OutputLines(String name, InputStream stream) {
    reader = new Thread(() -> read(stream), name);
    reader.setDaemon(true);
    reader.start();
  }

  synchronized List<String> soFar() {
    return List.copyOf(lines);
  }

  String text() {
    return String.join("\n", soFar());
  }

  /**
   * The first line from number {@code from} (0-based) that matches; empty when the deadline passes
   * or the output ends without one.
   */
  synchronized Optional<String> await(int from, Predicate<String> matches, Duration deadline)
      throws InterruptedException {
    long end = System.nanoTime() + deadline.toNanos();
    int next = from;
    while (true) {
      for (; next < lines.size(); next++) {
        if (matches.test(lines.get(next))) {
          return Optional.of(lines.get(next));
        }
      }
      long left = (end - System.nanoTime()) / 1_000_000;
      if (ended || left <= 0) {
        return Optional.empty();
      }
      wait(left);
    }
  }

  /** Until the stream has ended; it may stay open for as long as a grandchild holds it. */
  boolean awaitEnd(Duration deadline) throws InterruptedException {
    reader.join(Math.max(1, deadline.toMillis()));
    return !reader.isAlive();
  }

  private void read(InputStream stream) {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      String line;
      while ((line = in.readLine()) != null) {
        add(line);
      }
    } catch (IOException e) {
      add("(output cut short: " + e + ")");
    }
    synchronized (this) {
      ended = true;
      notifyAll();
    }
  }

  private synchronized void add(String line) {
    lines.add(line);
    notifyAll();
  }
}
