package io.penstock.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RunningCommandTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  @Test
  void exitCodeAndBothOutputsAreReported() throws Exception {
    try (RunningCommand command = shell("echo one; echo two; echo three >&2; exit 7")) {
      assertEquals(new CommandResult(7, "one\ntwo", "three"), command.await(LONG));
    }
  }

  @Test
  void jsonIsTheWholeOfStandardOutput() {
    assertEquals(3, new CommandResult(0, "{\"steps\": 3}", "").json().get("steps").asInt());
    assertThrows(AssertionError.class, () -> new CommandResult(0, "{\"steps\": ", "").json());
  }

  @Test
  void aCommandBeyondItsDeadlineIsKilledWithWhatItStarted() throws Exception {
    try (RunningCommand command = shell("sleep 60 & echo $!; wait")) {
      String child = command.awaitLine(line -> line.matches("[0-9]+"), LONG);
      ProcessHandle sleeper = ProcessHandle.of(Long.parseLong(child)).orElseThrow();
      AssertionError error =
          assertThrows(AssertionError.class, () -> command.await(Duration.ofMillis(10)));
      assertTrue(error.getMessage().contains("still running after"), error.getMessage());
      assertTrue(error.getMessage().contains(child), "the output so far: " + error.getMessage());
      sleeper.onExit().get(LONG.toSeconds(), TimeUnit.SECONDS);
      command.process().onExit().get(LONG.toSeconds(), TimeUnit.SECONDS);
    }
  }

  @Test
  void anInterruptReachesTheCommand() throws Exception {
    try (RunningCommand command =
        shell("trap 'echo stopping; exit 4' INT; echo ready; while :; do sleep 0.05; done")) {
      command.awaitLine("ready"::equals, LONG);
      command.interrupt();
      assertEquals(new CommandResult(4, "ready\nstopping", ""), command.await(LONG));
    }
  }

  @Test
  void aLineThatNeverComesIsReportedWithTheOutput() throws Exception {
    try (RunningCommand command = shell("echo other")) {
      AssertionError error =
          assertThrows(AssertionError.class, () -> command.awaitLine("wanted"::equals, LONG));
      assertTrue(error.getMessage().contains("other"), error.getMessage());
      assertFalse(error.getMessage().contains("wanted"), error.getMessage());
    }
  }

  private static RunningCommand shell(String script) throws IOException {
    return RunningCommand.start(new ProcessBuilder(List.of("sh", "-c", script)));
  }
}
