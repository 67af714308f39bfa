package io.penstock.yarn;

import io.penstock.model.DataException;
import io.penstock.model.PenstockException;
import io.penstock.model.UnreachableException;
import io.penstock.model.UsageException;
import java.util.Arrays;
import java.util.Optional;

/** How Penstock's own processes on the cluster end. */
public enum ExitStatus {
  DONE(0, ContainerEnd.Verdict.DONE, "done"),
  INTERNAL(1, ContainerEnd.Verdict.AGAIN, "an error inside Penstock"),
  USAGE(2, ContainerEnd.Verdict.FATAL, "the feed or a setting was refused"),
  STORAGE_FAILED(3, ContainerEnd.Verdict.AGAIN, "storage was not reached"),
  DATA_ERROR(10, ContainerEnd.Verdict.FATAL, "the data is not as the feed says"),
  STEP_FAILED(11, ContainerEnd.Verdict.AGAIN, "the training step failed"),
  ZOOKEEPER_LOST(12, ContainerEnd.Verdict.AGAIN, "the session with ZooKeeper was lost"),
  FENCED(13, ContainerEnd.Verdict.AGAIN, "a later attempt or generation has taken over"),
  NO_DEVICE(14, ContainerEnd.Verdict.AGAIN, "no free device was found on the host"),
  STUCK(15, ContainerEnd.Verdict.AGAIN, "a deadline has passed");

  private final int code;
  private final ContainerEnd.Verdict verdict;
  private final String words;

  ExitStatus(int code, ContainerEnd.Verdict verdict, String words) {
    this.code = code;
    this.verdict = verdict;
    this.words = words;
  }

  /** The process's exit code. */
  public int code() {
    return code;
  }

  /** What follows from it. */
  public ContainerEnd.Verdict verdict() {
    return verdict;
  }

  /** For people. */
  public String words() {
    return words;
  }

  /** The status that a code stands for, if it is one of ours. */
  public static Optional<ExitStatus> of(int code) {
    return Arrays.stream(values()).filter(status -> status.code == code).findFirst();
  }

  /** The status for a failure by its type; what is not one of Penstock's own is INTERNAL. */
  public static ExitStatus of(Throwable failure) {
    if (failure instanceof PenstockException) {
      if (failure instanceof DataException) {
        return DATA_ERROR;
      }
      if (failure instanceof UsageException) {
        return USAGE;
      }
      if (failure instanceof UnreachableException) {
        return STORAGE_FAILED;
      }
    }
    return INTERNAL;
  }
}
