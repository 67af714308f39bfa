package io.penstock.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LifecycleTest {
  private final Lifecycle lifecycle = new Lifecycle("cache");

  @Test
  void aSecondStartFails() {
    lifecycle.start();
    assertTrue(lifecycle.isRunning());
    IllegalStateException again = assertThrows(IllegalStateException.class, lifecycle::start);
    assertEquals("can't be started when RUNNING: cache", again.getMessage());
  }

  @Test
  void aSecondCloseFindsItClosed() {
    lifecycle.start();
    assertEquals(Lifecycle.State.RUNNING, lifecycle.close());
    assertEquals(Lifecycle.State.CLOSED, lifecycle.close());
    assertFalse(lifecycle.isRunning());
  }

  @Test
  void whatWasClosedBeforeItsStartCannotBeStarted() {
    assertEquals(Lifecycle.State.NEW, lifecycle.close());
    assertThrows(IllegalStateException.class, lifecycle::start);
    assertEquals(Lifecycle.State.CLOSED, lifecycle.state());
  }

  @Test
  void useIsRefusedBeforeTheStartAndAfterTheClose() {
    assertEquals(
        "not started: cache",
        assertThrows(IllegalStateException.class, lifecycle::checkRunning).getMessage());
    lifecycle.start();
    lifecycle.checkRunning();
    lifecycle.close();
    assertEquals(
        "closed: cache", assertThrows(ClosedException.class, lifecycle::checkRunning).getMessage());
  }
}
