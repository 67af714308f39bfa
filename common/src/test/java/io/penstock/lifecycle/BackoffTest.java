package io.penstock.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BackoffTest {
  private final Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(5));

  @Test
  void pausesDoubleUpToTheLongest() {
    assertEquals(
        List.of(1L, 2L, 4L, 5L, 5L),
        Stream.generate(backoff::failed).limit(5).map(Duration::toSeconds).toList());
    assertTrue(backoff.isFailing());
  }

  @Test
  void afterASuccessTheyBeginAnew() {
    assertFalse(backoff.isFailing());
    backoff.failed();
    backoff.failed();
    backoff.succeeded();
    assertFalse(backoff.isFailing());
    assertEquals(Duration.ofSeconds(1), backoff.failed());
  }

  @Test
  void aPauseThatIsNoneIsRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> new Backoff(Duration.ZERO, Duration.ofSeconds(1)));
    assertThrows(
        IllegalArgumentException.class,
        () -> new Backoff(Duration.ofSeconds(2), Duration.ofSeconds(1)));
  }
}
