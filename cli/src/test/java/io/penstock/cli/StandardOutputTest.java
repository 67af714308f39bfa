package io.penstock.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StandardOutputTest {
  private final AtomicInteger writes = new AtomicInteger();

  private StandardOutput failingWith(String message) {
    return new StandardOutput(
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            writes.incrementAndGet();
            throw new IOException(message);
          }
        });
  }

  @Test
  void aReaderThatHasGoneIsNoFailureAndNothingMoreIsWritten() {
    StandardOutput output = failingWith("Broken pipe");
    PrintStream stream = new PrintStream(output, true, StandardCharsets.UTF_8);
    stream.println("a");
    stream.println("b");
    assertTrue(stream.checkError());
    assertTrue(output.failure().isEmpty());
    assertEquals(1, writes.get());
  }

  @Test
  void aFullDiskIsAFailure() {
    StandardOutput output = failingWith("No space left on device");
    new PrintStream(output, true, StandardCharsets.UTF_8).println("a");
    assertEquals("No space left on device", output.failure().orElseThrow().getMessage());
  }
}
