package io.penstock.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.model.DataException;
import io.penstock.model.UnreachableException;
import io.penstock.model.UsageException;
import io.penstock.yarn.ContainerEnd.Verdict;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ContainerEndTest {
  @Test
  void exitCodesAreDifferentAndPinned() {
    List<Integer> codes = Arrays.stream(ExitStatus.values()).map(ExitStatus::code).toList();
    assertEquals(List.of(0, 1, 2, 3, 10, 11, 12, 13, 14, 15), codes);
    Set<Integer> different = new HashSet<>(codes);
    assertEquals(codes.size(), different.size());
  }

  @Test
  void aFailuresTypeDecidesItsStatus() {
    assertEquals(
        ExitStatus.DATA_ERROR,
        ExitStatus.of(new DataException(DataException.Place.of("f"), "bad page")));
    assertEquals(ExitStatus.USAGE, ExitStatus.of(new UsageException("no")));
    assertEquals(ExitStatus.STORAGE_FAILED, ExitStatus.of(new UnreachableException("no", null)));
    assertEquals(ExitStatus.INTERNAL, ExitStatus.of(new IllegalStateException("no")));
  }

  @Test
  void ourOwnCodesAreTranslated() {
    ContainerEnd end = ContainerEnd.of(10, "Exception from container-launch.\nExit code: 10");
    assertEquals(
        new ContainerEnd(
            10, Verdict.FATAL, "exit status 10 (DATA_ERROR: the data is not as the feed says)"),
        end);
    assertEquals(Verdict.DONE, ContainerEnd.of(0, "").verdict());
    assertEquals(Verdict.AGAIN, ContainerEnd.of(11, "").verdict());
  }

  @Test
  void signalsAreNamed() {
    assertEquals("exit status 137 (killed by signal 9)", ContainerEnd.of(137, "whatever").words());
    assertEquals(Verdict.AGAIN, ContainerEnd.of(143, "").verdict());
  }

  @Test
  void whatTheClusterTookAwayDoesNotCount() {
    for (int status : new int[] {-100, -101, -102, -106, -108}) {
      assertEquals(Verdict.TAKEN_AWAY, ContainerEnd.of(status, "").verdict(), "status " + status);
    }
    for (int status : new int[] {-1000, -103, -104, -105, -107, -109}) {
      assertEquals(Verdict.AGAIN, ContainerEnd.of(status, "").verdict(), "status " + status);
    }
    assertEquals(
        "its node was lost or it was released: Container released on a *lost* node",
        ContainerEnd.of(-100, "Container released on a *lost* node").words());
  }

  @Test
  void diagnosticsAreOneLineAndNotLong() {
    String words = ContainerEnd.of(77, "a\t b " + "x".repeat(1000) + "\nmore").words();
    assertTrue(words.startsWith("exit status 77: a b xxx"), words);
    assertTrue(words.length() < 200 && words.endsWith("xxx..."), words);
  }

  @Test
  void ofYarnsLongTextTheErrorThatTheProcessNamedIsQuoted() {
    String yarn =
        """
        [2026-11-29 22:16:42.001]Exception from container-launch.
        Container id: container_1700000000000_0001_01_000002
        Exit code: 1

        [2026-11-29 22:16:42.003]Container exited with a non-zero exit code 1. Error file: prelaunch.err.
        Last 4096 bytes of prelaunch.err :
        Last 4096 bytes of stderr :
        Picked up JAVA_TOOL_OPTIONS: -Dx=y
        Error: Could not find or load main class io.penstock.Nothing
        Caused by: java.lang.ClassNotFoundException: io.penstock.Nothing


        """;
    assertEquals(
        "exit status 1 (INTERNAL: an error inside Penstock): Error: Could not find or load main"
            + " class io.penstock.Nothing",
        ContainerEnd.of(1, yarn).words());
    assertEquals(
        "exit status 77: Exception from container-launch.",
        ContainerEnd.of(77, yarn.substring(0, yarn.indexOf("Last 4096 bytes of stderr"))).words());
  }
}
