package io.penstock.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResourcesTest {
  private final List<String> closed = new ArrayList<>();
  private final Resources resources = new Resources();

  private AutoCloseable named(String name) {
    return () -> closed.add(name);
  }

  private AutoCloseable failing(String name, Exception failure) {
    return () -> {
      closed.add(name);
      throw failure;
    };
  }

  @Test
  void theYoungestIsClosedFirstAndOnce() {
    AutoCloseable first = named("first");
    assertSame(first, resources.add(first));
    resources.add(named("second"));
    resources.close();
    resources.close();
    assertEquals(List.of("second", "first"), closed);
  }

  @Test
  void allAreClosedAndTheFirstFailureIsKept() {
    IllegalArgumentException early = new IllegalArgumentException("early");
    IOException late = new IOException("late");
    resources.add(failing("a", late));
    resources.add(named("b"));
    resources.add(failing("c", early));
    assertSame(early, assertThrows(IllegalArgumentException.class, resources::close));
    assertEquals(List.of("c", "b", "a"), closed);
    assertEquals(List.of(late), List.of(early.getSuppressed()));
  }

  @Test
  void aCheckedFailureBecomesTheCause() {
    IOException failure = new IOException("disk full");
    resources.add(failing("a", failure));
    IllegalStateException thrown = assertThrows(IllegalStateException.class, resources::close);
    assertSame(failure, thrown.getCause());
    assertEquals("could not be closed: disk full", thrown.getMessage());
  }

  @Test
  void aHalfOpenStartKeepsItsOwnFailure() {
    IOException closing = new IOException("closing");
    resources.add(named("a"));
    resources.add(failing("b", closing));
    IllegalStateException opening = new IllegalStateException("opening");
    resources.closeAfter(opening);
    assertEquals(List.of("b", "a"), closed);
    assertEquals(List.of(closing), List.of(opening.getSuppressed()));
  }
}
