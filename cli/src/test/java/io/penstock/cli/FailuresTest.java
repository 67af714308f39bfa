package io.penstock.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.model.DataException;
import io.penstock.model.UnreachableException;
import io.penstock.model.UsageException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

class FailuresTest {
  @Test
  void exitCodesTellWhatKindOfFailureItWas() {
    assertEquals(2, Failures.exitCode(new UsageException("x")));
    assertEquals(3, Failures.exitCode(new UnreachableException("x", null)));
    assertEquals(1, Failures.exitCode(new DataException(DataException.Place.of("f"), "x")));
    assertEquals(3, Failures.exitCode(new IOException("x", new ConnectException("refused"))));
    assertEquals(
        3,
        Failures.exitCode(new RemoteException(AccessControlException.class.getName(), "denied")));
    assertEquals(2, Failures.exitCode(new FileNotFoundException("f")));
    assertEquals(1, Failures.exitCode(new IllegalStateException("x")));
  }

  @Test
  void messagesAreOneLineUnlessPenstockSaysMore() {
    assertEquals("a\nb", Failures.message(new UsageException("a\nb")));
    assertEquals("a", Failures.message(new IOException("a\n\tat b.c(D.java)")));
    assertEquals("IllegalStateException: a", Failures.message(new IllegalStateException("a\nb")));
    assertEquals("NullPointerException", Failures.message(new NullPointerException()));
  }
}
