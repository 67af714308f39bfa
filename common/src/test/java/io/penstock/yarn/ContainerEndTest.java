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
    String words = ContainerEnd.of(77, "a\n\tb " + "x".repeat(1000)).words();
    assertTrue(words.startsWith("exit status 77: a b xxx"), words);
    assertTrue(words.length() < 500 && words.endsWith("..."), words);
  }
}
