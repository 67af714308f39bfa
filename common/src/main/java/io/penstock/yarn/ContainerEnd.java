package io.penstock.yarn;

import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;

/**
 * How a container ended.
 *
 * @param status the exit status that YARN tells: the process's, or one of YARN's own below zero
 * @param words what it means, for people
 */
public record ContainerEnd(int status, Verdict verdict, String words) {
  private static final int SIGNAL = 128;
  private static final int QUOTED = 160;

  /** Before every line of YARN's own. */
  private static final Pattern TIME = Pattern.compile("\\[\\d{4}-\\d\\d-\\d\\d [\\d:.,]+\\]");

  /** Where what the process said begins. */
  private static final Pattern SAID = Pattern.compile("Last \\d+ bytes of stderr ?:");

  private static final Pattern ERROR = Pattern.compile("error|exception", Pattern.CASE_INSENSITIVE);

  /** What follows from an end. */
  public enum Verdict {
    DONE,
    /** Another try may do better, and counts. */
    AGAIN,
    /** The cluster took the container away; another try does not count. */
    TAKEN_AWAY,
    /** Every other try would end the same way. */
    FATAL
  }

  public ContainerEnd {
    Objects.requireNonNull(verdict, "verdict");
    Objects.requireNonNull(words, "words");
  }

  /** Translates what YARN tells. */
  public static ContainerEnd of(int status, String diagnostics) {
    return switch (status) {
      case ContainerExitStatus.INVALID ->
          end(status, Verdict.AGAIN, "it ended before it ran", diagnostics);
      case ContainerExitStatus.ABORTED ->
          end(status, Verdict.TAKEN_AWAY, "its node was lost or it was released", diagnostics);
      case ContainerExitStatus.DISKS_FAILED ->
          end(status, Verdict.TAKEN_AWAY, "the disks of its node failed or are full", diagnostics);
      case ContainerExitStatus.PREEMPTED -> end(status, Verdict.TAKEN_AWAY, "it was preempted", "");
      case ContainerExitStatus.KILLED_EXCEEDED_VMEM ->
          end(status, Verdict.AGAIN, "it used too much virtual memory", diagnostics);
      case ContainerExitStatus.KILLED_EXCEEDED_PMEM ->
          end(status, Verdict.AGAIN, "it used more memory than it has", diagnostics);
      case ContainerExitStatus.KILLED_BY_APPMASTER ->
          end(status, Verdict.AGAIN, "it was stopped by the ApplicationMaster", "");
      case ContainerExitStatus.KILLED_BY_RESOURCEMANAGER ->
          end(status, Verdict.TAKEN_AWAY, "the ResourceManager stopped it", diagnostics);
      case ContainerExitStatus.KILLED_AFTER_APP_COMPLETION ->
          end(status, Verdict.AGAIN, "it was stopped at the application's end", "");
      case ContainerExitStatus.KILLED_BY_CONTAINER_SCHEDULER ->
          end(status, Verdict.TAKEN_AWAY, "its node's scheduler stopped it", diagnostics);
      case ContainerExitStatus.KILLED_FOR_EXCESS_LOGS ->
          end(status, Verdict.AGAIN, "its logs grew too large", diagnostics);
      default -> ofProcess(status, diagnostics);
    };
  }

  private static ContainerEnd ofProcess(int status, String diagnostics) {
    return ExitStatus.of(status)
        .map(
            own -> {
              String known = "exit status %d (%s: %s)".formatted(status, own.name(), own.words());
              // The JVM and the launch script end with 1 as well; then the diagnostics tell more.
              return end(
                  status, own.verdict(), known, own == ExitStatus.INTERNAL ? diagnostics : "");
            })
        .orElseGet(
            () ->
                status > SIGNAL && status <= SIGNAL + 64
                    ? end(
                        status,
                        Verdict.AGAIN,
                        "exit status %d (killed by signal %d)".formatted(status, status - SIGNAL),
                        "")
                    : end(status, Verdict.AGAIN, "exit status " + status, diagnostics));
  }

  private static ContainerEnd end(int status, Verdict verdict, String words, String diagnostics) {
    String more = quoted(diagnostics == null ? "" : diagnostics);
    return new ContainerEnd(status, verdict, more.isEmpty() ? words : words + ": " + more);
  }

  /** One short line: what the process itself called an error, else the first there is. */
  private static String quoted(String diagnostics) {
    String text = TIME.matcher(diagnostics).replaceAll("");
    Matcher said = SAID.matcher(text);
    List<String> lines = said.find() ? lines(text.substring(said.end())) : List.of();
    String line =
        lines.stream()
            .filter(one -> ERROR.matcher(one).find())
            .findFirst()
            .or(() -> lines.stream().findFirst())
            .or(() -> lines(text).stream().findFirst())
            .orElse("");
    return line.length() <= QUOTED ? line : line.substring(0, QUOTED - 3) + "...";
  }

  private static List<String> lines(String text) {
    return text.lines()
        .map(line -> line.strip().replaceAll("\\s+", " "))
        .filter(line -> !line.isEmpty())
        .toList();
  }
}
