package io.penstock.cli.submit;

import io.penstock.cli.console.ExitCode;
import io.penstock.cli.job.JobView;
import io.penstock.coordination.FencedJob;
import io.penstock.coordination.JobStore;
import io.penstock.coordination.records.JobState;
import io.penstock.coordination.records.RunState;
import io.penstock.yarn.ExitStatus;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;

/**
 * How a job ended, for the process that waits for it.
 *
 * @param reason one line or more, empty if there is nothing to say
 */
record Outcome(ExitCode code, String reason) {
  private static final Pattern EXIT_CODE = Pattern.compile("exitCode: ([0-9]{1,3})\\b");

  /** What the job's own record says; empty while it goes on. */
  static Optional<Outcome> of(JobView job) {
    return job.state()
        .filter(state -> state.state().isFinal())
        .map(state -> new Outcome(code(state.exitCode()), state.reason()));
  }

  private static ExitCode code(int code) {
    return Arrays.stream(ExitCode.values())
        .filter(known -> known.code() == code)
        .findFirst()
        .orElse(ExitCode.FAILED);
  }

  /** What YARN says; empty while the application goes on. */
  static Optional<Outcome> of(ApplicationReport report) {
    FinalApplicationStatus status = report.getFinalApplicationStatus();
    if (status == FinalApplicationStatus.UNDEFINED) {
      return Optional.empty();
    }
    String reason = report.getDiagnostics() == null ? "" : report.getDiagnostics().strip();
    Optional<ExitStatus> unreached = unreached(reason);
    if (status == FinalApplicationStatus.FAILED && unreached.isPresent()) {
      return Optional.of(
          new Outcome(
              ExitCode.UNREACHABLE,
              "the ApplicationMaster ended: " + unreached.get().words() + "\n" + reason));
    }
    if (status == FinalApplicationStatus.SUCCEEDED) {
      return Optional.of(new Outcome(ExitCode.DONE, reason));
    }
    return Optional.of(
        new Outcome(
            status == FinalApplicationStatus.KILLED ? ExitCode.KILLED : ExitCode.FAILED, reason));
  }

  /** What the last ApplicationMaster did not reach, if that ended it. */
  private static Optional<ExitStatus> unreached(String diagnostics) {
    Matcher code = EXIT_CODE.matcher(diagnostics);
    return code.find()
        ? ExitStatus.of(Integer.parseInt(code.group(1)))
            .filter(
                known -> known == ExitStatus.STORAGE_FAILED || known == ExitStatus.ZOOKEEPER_LOST)
        : Optional.empty();
  }

  /**
   * With what the job's own record says of an ApplicationMaster that ended because it did not reach
   * something; YARN only knows that it ended.
   */
  Outcome because(JobView job) {
    return job.state()
        .filter(state -> code != ExitCode.KILLED && code != ExitCode.DONE)
        .filter(state -> state.exitCode() == ExitCode.UNREACHABLE.code())
        .map(state -> new Outcome(ExitCode.UNREACHABLE, state.reason()))
        .orElse(this);
  }

  /**
   * Leaves it in the job's record, for a job whose ApplicationMaster could not. Nobody else can
   * write there any more.
   */
  void settle(JobStore store, long now) {
    JobState last = store.state().orElse(new JobState(RunState.STARTING, "", 0, 0, 0, 0, now, now));
    if (last.state().isFinal()) {
      return;
    }
    FencedJob job = store.takeOver(Integer.MAX_VALUE, "command line");
    RunState state =
        switch (code) {
          case DONE -> RunState.SUCCEEDED;
          case KILLED -> RunState.KILLED;
          case FAILED, REFUSED, UNREACHABLE -> RunState.FAILED;
        };
    job.writeState(
        new JobState(
            state,
            reason
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .limit(5)
                .reduce((a, b) -> a + " | " + b)
                .orElse(""),
            code.code(),
            last.attempts(),
            last.generation(),
            last.restarts(),
            last.startedMillis(),
            now));
  }
}
