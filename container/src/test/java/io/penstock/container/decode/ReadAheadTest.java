package io.penstock.container.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.config.FetchSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReadAheadTest {
  private static final int MIB = 1 << 20;

  private static FetchSettings settings(int maxRead) {
    return new FetchSettings(1, Duration.ofSeconds(1), 1, Duration.ZERO, 0, maxRead);
  }

  private static ReadAhead of(long tensorBytes, long largestChunk) {
    return ReadAhead.of(tensorBytes, largestChunk, settings(32 * MIB));
  }

  @Test
  void itIsTwoFifthsOfTheTensors() {
    assertEquals(new ReadAhead(16_000_000, 4 * MIB), of(40_000_000, 200_000));
    assertEquals(new ReadAhead(64L * MIB, 8 * MIB), of(160L * MIB, MIB));
  }

  @Test
  void partsAreLargeWhereFourLargeOnesFit() {
    assertEquals(8 * MIB, of(80L * MIB, 1).partBytes());
    assertEquals(4 * MIB, of(80L * MIB - 5, 1).partBytes());
  }

  @Test
  void itIsNeverLessThanTwoPartsOrTwoOfTheLargestColumn() {
    assertEquals(new ReadAhead(8L * MIB, 4 * MIB), of(1000, 10));
    assertEquals(new ReadAhead(80L * MIB, 4 * MIB), of(50L * MIB, 40L * MIB));
  }

  @Test
  void noPartIsLongerThanARead() {
    assertEquals(new ReadAhead(400_000, 4096), ReadAhead.of(1_000_000, 10, settings(4096)));
    assertEquals(new ReadAhead(8192, 4096), ReadAhead.of(100, 10, settings(4096)));
  }

  @Test
  void whatFitsTakesNoMoreThanItsOwnBuffers() {
    ReadAhead ahead = new ReadAhead(1000, 100);
    assertEquals(800, ahead.most(700));
    assertEquals(1000, ahead.most(875));
    assertEquals(1000, ahead.most(5000));
  }

  @Test
  void lessThanTwoPartsIsRefused() {
    String message =
        assertThrows(IllegalArgumentException.class, () -> new ReadAhead(199, 100)).getMessage();
    assertEquals("must be at least two parts: bytes=199 partBytes=100", message);
  }
}
