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
final class ContainerProcesses {
  private static final Path PROC = Path.of("/proc");
  private static final Duration KILL = Duration.ofSeconds(10);

  private final String localDirs;

  /** A process of the container named. */
  record Found(ProcessHandle process, String container) {}

  /**
   * @param folder the cluster's folder
   */
  ContainerProcesses(Path folder) {
    this.localDirs = "LOCAL_DIRS=" + folder.resolve("nodes") + "/";
  }

  List<Found> find() throws IOException {
    List<Found> found = new ArrayList<>();
    if (!Files.isDirectory(PROC)) {
      return found;
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (Path entry : entries) {
        List<String> environment = environment(entry);
        if (environment.stream().anyMatch(variable -> variable.startsWith(localDirs))) {
          String container = valueOf("CONTAINER_ID=", environment);
          ProcessHandle.of(Long.parseLong(entry.getFileName().toString()))
              .ifPresent(process -> found.add(new Found(process, container)));
        }
      }
    }
    return found;
  }

  /** Kills them and waits until they are gone; returns how many there were. */
  int kill() throws IOException, InterruptedException, TimeoutException {
    return kill(find());
  }

  /** Kills those of one container, as {@code kill -9} does; returns how many there were. */
  int kill(String container) throws IOException, InterruptedException, TimeoutException {
    return kill(find().stream().filter(found -> found.container().equals(container)).toList());
  }

  private static int kill(List<Found> victims)
      throws IOException, InterruptedException, TimeoutException {
    victims.forEach(victim -> victim.process().destroyForcibly());
    for (Found victim : victims) {
      try {
        victim.process().onExit().get(KILL.toMillis(), TimeUnit.MILLISECONDS);
      } catch (ExecutionException e) {
        throw new IOException("process " + victim.process().pid() + " can't be watched", e);
      } catch (TimeoutException e) {
        throw new TimeoutException(
            "waited " + KILL.toSeconds() + " s for a killed process to end: " + victim);
      }
    }
    return victims.size();
  }

  /** Empty for a process that ended meanwhile, or is another user's. */
  private static List<String> environment(Path process) {
    try {
      byte[] bytes = Files.readAllBytes(process.resolve("environ"));
      return List.of(new String(bytes, StandardCharsets.UTF_8).split("\0"));
    } catch (IOException e) {
      return List.of();
    }
  }

  private static String valueOf(String prefix, List<String> environment) {
    return environment.stream()
        .filter(variable -> variable.startsWith(prefix))
        .map(variable -> variable.substring(prefix.length()))
        .findFirst()
        .orElse("");
  }
}
