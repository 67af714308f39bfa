package io.penstock.cli.commands;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.cli.Datasets;
import io.penstock.cli.Invocation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeekCommandTest {
  private static final String ORDER = "seed: 7, lanes: 2, batch: 8, window: 2, remainder: pad";

  @TempDir Path folder;
  private Path dataset;
  private Path feed;

  @BeforeEach
  void write() throws IOException {
    dataset = Datasets.numbers(folder.resolve("data"));
    feed = Datasets.feed(folder.resolve("feed.yaml"), dataset, ORDER);
  }

  /** The items of an array behind its header, which must be as NumPy's format says. */
  private ByteBuffer items(String name, String descr, String shape) throws IOException {
    byte[] file = Files.readAllBytes(folder.resolve("made/out/" + name + ".npy"));
    ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    byte[] magic = new byte[8];
    bytes.get(magic);
    assertArrayEquals(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0}, magic);
    int length = bytes.getShort();
    assertEquals(0, (10 + length) % 64);
    String header = new String(file, 10, length, StandardCharsets.US_ASCII);
    assertEquals(
        "{'descr': '%s', 'fortran_order': False, 'shape': %s, }".formatted(descr, shape),
        header.stripTrailing());
    assertTrue(header.endsWith("\n"));
    return bytes.position(10 + length).slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  private Invocation peek(String... more) {
    List<String> arguments = new ArrayList<>(List.of("peek", "--feed", feed.toString()));
    arguments.addAll(List.of(more));
    return Invocation.of(arguments.toArray(String[]::new));
  }

  private Invocation write(String steps, String epoch) {
    return peek("--step", steps, "--epoch", epoch, "--out", folder + "/made/out", "--json");
  }

  /** Rows of the dataset are numbered as {@code id} counts, so row, id and pair tell the same. */
  @Test
  void arraysHoldTheRowsThatThePlanSays() throws IOException {
    JsonNode plan =
        Invocation.of(
                "plan",
                "--row-groups=10,10,5,10,5",
                "--seed=7",
                "--lanes=2",
                "--batch=8",
                "--window=2",
                "--remainder=pad",
                "--epochs=2",
                "--json")
            .json()
            .get("epochs")
            .get(0);
    Invocation peek = write("0:5", "2");
    assertEquals(0, peek.code(), peek.err());
    assertEquals(plan.get("order_digest"), peek.json().get("order_digest"));
    assertEquals(5, peek.json().get("steps").intValue());
    assertEquals("[40,2]", peek.json().get("tensors").get(1).get("shape").toString());
    ByteBuffer row = items("row", "<i8", "(40,)");
    ByteBuffer id = items("id", "<i8", "(40,)");
    ByteBuffer position = items("position", "<i8", "(40,)");
    ByteBuffer pair = items("pair", "<f4", "(40, 2)");
    ByteBuffer valid = items("valid", "|b1", "(40,)");
    List<Long> seen = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      long number = row.getLong(8 * i);
      seen.add(number);
      assertEquals(number, id.getLong(8 * i));
      assertEquals(i, position.getLong(8 * i));
      assertEquals(number / 2f, pair.getFloat(8 * i));
      assertEquals(number, pair.getFloat(8 * i + 4));
      assertEquals(1, valid.get(i));
    }
    assertEquals(plan.get("first_rows").toString(), seen.subList(0, 8).toString().replace(" ", ""));
    assertEquals(LongStream.range(0, 40).boxed().toList(), seen.stream().sorted().toList());
  }

  @Test
  void digestsOfStepsAddUpAndDoNotDependOnSettings() {
    JsonNode all = peek("--step=0:5", "--json").json();
    long[] sums = new long[4];
    for (int step = 0; step < 5; step++) {
      JsonNode one =
          peek("--step=" + step, "--json", "-Dpenstock.load.workers=" + (1 + step % 3)).json();
      add(sums, 0, one.get("order_digest").textValue());
      add(sums, 2, one.get("values_digest").textValue());
    }
    assertEquals(
        all.get("order_digest").textValue(), String.format("%016x%016x", sums[0], sums[1]));
    assertEquals(
        all.get("values_digest").textValue(), String.format("%016x%016x", sums[2], sums[3]));
  }

  private static void add(long[] sums, int at, String hex) {
    sums[at] += Long.parseUnsignedLong(hex.substring(0, 16), 16);
    sums[at + 1] += Long.parseUnsignedLong(hex.substring(16), 16);
  }

  @Test
  void textShowsTheFirstRows() throws IOException {
    feed = Datasets.feed(folder.resolve("feed.yaml"), dataset, ORDER + ", shuffle: none");
    Invocation peek = peek("--step", "1");
    assertEquals(0, peek.code(), peek.err());
    assertTrue(peek.out().contains("epoch 0 step 1: 8 rows, 0 of them padding"), peek.out());
    assertTrue(peek.out().contains("  pair float32 [8, 2]\n    [2.0 4.0]\n"), peek.out());
  }

  @Test
  void stepsThatAnEpochDoesNotHaveAreRefused() {
    for (String step : new String[] {"5", "0:6", "3:3", "x", "-1", "2:1"}) {
      Invocation peek = peek("--step=" + step);
      assertEquals(2, peek.code(), step + peek.err());
    }
    assertTrue(peek("--step=4:6").err().contains("must be < 5"));
  }

  @Test
  void halfPrecisionIsReadAsIeee754Says() {
    assertEquals(1f, BatchText.halfToFloat((short) 0x3c00));
    assertEquals(-2f, BatchText.halfToFloat((short) 0xc000));
    assertEquals(65504f, BatchText.halfToFloat((short) 0x7bff));
    assertEquals(0x1p-24f, BatchText.halfToFloat((short) 0x0001));
    assertEquals(Float.POSITIVE_INFINITY, BatchText.halfToFloat((short) 0x7c00));
    assertTrue(Float.isNaN(BatchText.halfToFloat((short) 0x7e00)));
  }
}
