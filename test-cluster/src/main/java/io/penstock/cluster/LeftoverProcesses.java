package io.penstock.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Finds the processes of containers, and whatever these started, by the environment that a
 * NodeManager gives to each: {@code LOCAL_DIRS} names folders of that NodeManager. Parents and
 * process groups would not do: containers get sessions of their own, and their shells die first.
 * Where there is no {@code /proc}, nothing is found.
 */
final class LeftoverProcesses {
  private static final Path PROC = Path.of("/proc");
  private static final Duration KILL = Duration.ofSeconds(10);

  private final byte[] mark;

  /**
   * @param folder the cluster's folder
   */
  LeftoverProcesses(Path folder) {
    this.mark = ("\0LOCAL_DIRS=" + folder.resolve("nodes")).getBytes(StandardCharsets.UTF_8);
  }

  List<ProcessHandle> find() throws IOException {
    List<ProcessHandle> found = new ArrayList<>();
    if (!Files.isDirectory(PROC)) {
      return found;
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (Path entry : entries) {
        if (environmentHasMark(entry.resolve("environ"))) {
          ProcessHandle.of(Long.parseLong(entry.getFileName().toString())).ifPresent(found::add);
        }
      }
    }
    return found;
  }

  /** Kills them and waits until they are gone; returns how many there were. */
  int kill() throws IOException, InterruptedException, TimeoutException {
    List<ProcessHandle> found = find();
    found.forEach(ProcessHandle::destroyForcibly);
    for (ProcessHandle process : found) {
      try {
        process.onExit().get(KILL.toMillis(), TimeUnit.MILLISECONDS);
      } catch (ExecutionException e) {
        throw new IOException("process " + process.pid() + " can't be watched", e);
      } catch (TimeoutException e) {
        throw new TimeoutException(
            "waited " + KILL.toSeconds() + " s for a killed process to end: " + process.pid());
      }
    }
    return found.size();
  }

  /** A process that ended meanwhile, or is another user's, has no mark. */
  private boolean environmentHasMark(Path environ) {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(environ);
    } catch (IOException e) {
      return false;
    }
    for (int at = 0; at + mark.length <= bytes.length; at++) {
      int same = 0;
      while (same < mark.length && bytes[at + same] == mark[same]) {
        same++;
      }
      if (same == mark.length) {
        return true;
      }
    }
    return false;
  }
}
