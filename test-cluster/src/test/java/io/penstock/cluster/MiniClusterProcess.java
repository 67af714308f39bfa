package io.penstock.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A {@link MiniCluster} in a JVM of its own, which ends at the latest with this JVM. */
final class MiniClusterProcess implements AutoCloseable {
  private static final Duration START = Duration.ofSeconds(180);
  private static final Duration ANSWER = Duration.ofSeconds(60);
  private static final Duration STOP = Duration.ofSeconds(60);

  private final Path folder;
  private final Process process;
  private final OutputLines answers;

  private MiniClusterProcess(Path folder, Process process) {
    this.folder = folder;
    this.process = process;
    this.answers = new OutputLines("mini-cluster-answers", process.getInputStream());
  }

  /**
   * Returns when everything is up.
   *
   * @param folder need not exist, and must hold no earlier cluster
   */
  static MiniClusterProcess start(Path folder) throws IOException, InterruptedException {
    Files.createDirectories(folder);
    Path real = folder.toRealPath();
    ProcessBuilder builder =
        new ProcessBuilder(
            ModuleFolder.path().resolve("bin/mini-cluster").toString(), "--dir", real.toString());
    builder.environment().put("PENSTOCK_JAVA_HOME", System.getProperty("java.home"));
    builder.redirectError(real.resolve("stderr.txt").toFile());
    MiniClusterProcess cluster = new MiniClusterProcess(real, builder.start());
    try {
      cluster.answerFrom(0, "READY conf=" + cluster.conf(), START);
      return cluster;
    } catch (AssertionError | InterruptedException e) {
      cluster.close();
      throw e;
    }
  }

  Path folder() {
    return folder;
  }

  /** What {@code HADOOP_CONF_DIR} is to be. */
  Path conf() {
    return folder.resolve("conf");
  }

  ProcessHandle process() {
    return process.toHandle();
  }

  ContainerProcesses containerProcesses() {
    return new ContainerProcesses(folder);
  }

  /** Sends a request such as {@code stop-datanode 1} and returns when it has been carried out. */
  synchronized void control(String request) throws IOException, InterruptedException {
    int before = answers.soFar().size();
    OutputStream requests = process.getOutputStream();
    requests.write((request + "\n").getBytes(StandardCharsets.UTF_8));
    requests.flush();
    answerFrom(before, "OK " + request, ANSWER);
  }

  /** Ends it by the end of its input, and returns its exit code. */
  int stop() throws IOException, InterruptedException {
    process.getOutputStream().close();
    return exitCode();
  }

  int exitCode() throws InterruptedException {
    if (!process.waitFor(STOP.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new AssertionError(
          "waited " + STOP.toSeconds() + " s for the cluster to end: " + told());
    }
    return process.exitValue();
  }

  /** Leaves nothing behind, even where stopping fails. */
  @Override
  public void close() throws IOException {
    try {
      stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      process.destroyForcibly();
      for (ContainerProcesses.Found left : containerProcesses().find()) {
        left.process().destroyForcibly();
      }
    }
  }

  private void answerFrom(int line, String wanted, Duration deadline) throws InterruptedException {
    Optional<String> answer =
        answers.await(line, text -> text.equals(wanted) || text.startsWith("ERROR"), deadline);
    if (!answer.equals(Optional.of(wanted))) {
      throw new AssertionError(
          "waited " + deadline.toSeconds() + " s for '" + wanted + "': " + answer + "; " + told());
    }
  }

  private String told() {
    String errors;
    try {
      errors = Files.readString(folder.resolve("stderr.txt"));
    } catch (IOException e) {
      errors = e.toString();
    }
    return "standard output '"
        + answers.text()
        + "', standard error '"
        + errors
        + "', log "
        + folder.resolve("cluster.log");
  }
}
