package io.penstock.cli.commands;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.cli.Invocation;
import io.penstock.cli.NpyArray;
import io.penstock.cli.TestingParquet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.apache.parquet.example.data.Group;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Expected values are NumPy's, of the same rows: means and standard deviations of {@code
 * longdouble} copies, rounded to float64.
 */
class StatsCommandTest {
  private static final int ROWS = 1000;

  @TempDir Path folder;

  @BeforeEach
  void writeADatasetAndAFeedThatNamesWhatIsNotThereYet() throws IOException {
    write("a.parquet", 0, 700);
    write("b.parquet", 700, ROWS);
    Files.writeString(
        folder.resolve("feed.yaml"),
        """
        penstock: 1
        dataset: {paths: [%s]}
        order: {seed: 1, lanes: 1, batch: 10, shuffle: none}
        tensors:
          features: {columns: [x, f, d], dtype: float64, ops: [{fill: 0}, {standardize: {file: stats.json}}]}
          others: {columns: [w, c], dtype: float64}
          u: {column: u, dtype: int64, ops: [{hash: {buckets: 9}}]}
          l: {column: l, dtype: int64, ops: [{fill: 0}, {pad: {length: 3}}]}
          city: {column: city, dtype: int64, ops: [{vocabulary: {file: words/city.txt}}]}
          code: {column: code, dtype: int64, ops: [{vocabulary: {file: code.txt, unknown: 9}}]}
        """
            .formatted(folder.resolve("data")));
  }

  private void write(String name, int from, int to) {
    TestingParquet.write(
        folder.resolve("data").resolve(name),
        "optional double x; required float f; required int32 w; required int32 d (DECIMAL(9,2));"
            + " required int64 u (INTEGER(64,false)); required double c;"
            + " required binary city (STRING); required int64 code;"
            + TestingParquet.list("l", "int64 element"),
        to - from,
        64,
        (row, i) -> fill(row, from + i));
  }

  private static void fill(Group row, int i) {
    if (i % 10 != 0) {
      row.append("x", 1e9 + i * 7919L % 1000 / 7.0);
    }
    row.append("f", i % 17 == 0 ? Float.NaN : (float) (i / 3.0));
    row.append("w", i * i % 97 - 40).append("d", i * 31 - 500).append("u", -1L - i);
    row.append("c", 0.1).append("city", i % 3 == 0 ? "b" : i % 3 == 1 ? "a" : "c\nd");
    row.append("code", i % 4 * 10L - 10);
    TestingParquet.list(row, "l", LongStream.range(i, i + i % 4).boxed().toArray());
  }

  private Invocation stats(String out, String... more) {
    String[] arguments = {
      "stats", "--feed", folder.resolve("feed.yaml").toString(), "--out", folder + "/" + out
    };
    String[] all = java.util.Arrays.copyOf(arguments, arguments.length + more.length);
    System.arraycopy(more, 0, all, arguments.length, more.length);
    return Invocation.of(all);
  }

  private JsonNode columns() throws IOException {
    return new ObjectMapper().readTree(folder.resolve("stats.json").toFile()).get("columns");
  }

  private static void check(JsonNode c, double mean, double std, double min, double max, int n) {
    assertEquals(mean, c.get("mean").doubleValue(), Math.abs(mean) * 1e-15);
    assertEquals(std, c.get("std").doubleValue(), std * 1e-13);
    assertEquals(min, c.get("min").doubleValue());
    assertEquals(max, c.get("max").doubleValue());
    assertEquals(n, c.get("distinct").intValue());
  }

  @Test
  void theNumbersAreNumPys() throws IOException {
    Invocation stats = stats("stats.json");
    assertEquals(0, stats.code(), stats.err());
    JsonNode columns = columns();
    check(
        columns.get("x"),
        1000000071.4285715,
        41.23889254690758,
        1000000000.1428572,
        1000000142.7142857,
        900);
    assertEquals(0.1, columns.get("x").get("null_share").doubleValue());
    assertEquals(100, columns.get("x").get("nulls").intValue());
    check(columns.get("f"), 166.63584840769596, 96.20611150291357, 0.3333333432674408, 333.0, 942);
    assertEquals(59, columns.get("f").get("nan").intValue());
    check(columns.get("w"), 7.84, 30.358003886948826, -40, 56, 49);
    check(columns.get("d"), 149.845, 89.48924697973494, -5.0, 304.69, 1000);
    check(columns.get("u"), 0x1p64, 0, 0x1p64, 0x1p64, 1000);
    check(columns.get("c"), 0.1, 0, 0.1, 0.1, 1);
    check(columns.get("l"), 501.0, 288.6757119445047, 1, 1001, 1001);
    assertEquals(1500, columns.get("l").get("items").intValue());
    assertEquals(3, columns.get("city").get("distinct").intValue());
    assertTrue(columns.get("city").get("mean") == null);
  }

  @Test
  void anyNumberOfThreadsMakesTheSameBytes() throws IOException {
    assertEquals(0, stats("stats.json", "--threads", "1").code());
    byte[] statistics = Files.readAllBytes(folder.resolve("stats.json"));
    byte[] words = Files.readAllBytes(folder.resolve("code.txt"));
    for (String threads : new String[] {"2", "4", "13"}) {
      assertEquals(0, stats("stats.json", "--threads", threads, "--force").code());
      assertArrayEquals(statistics, Files.readAllBytes(folder.resolve("stats.json")));
      assertArrayEquals(words, Files.readAllBytes(folder.resolve("code.txt")));
    }
  }

  @Test
  void theFeedThenHasWhatItNames() throws IOException {
    String feed = folder.resolve("feed.yaml").toString();
    Invocation stats = stats("stats.json");
    assertTrue(stats.err().contains("left out: 1 values"), stats.err());
    assertEquals("b\na\n", Files.readString(folder.resolve("city.txt")));
    assertEquals("-10\n0\n10\n20\n", Files.readString(folder.resolve("code.txt")));
    Files.createDirectory(folder.resolve("words"));
    Files.move(folder.resolve("city.txt"), folder.resolve("words/city.txt"));
    assertEquals(0, Invocation.of("plan", "--feed", feed).code());
    Path out = folder.resolve("out");
    Invocation peek = Invocation.of("peek", "--feed", feed, "--step", "0", "--out", out.toString());
    assertEquals(0, peek.code(), peek.err());
    assertArrayEquals(
        new long[] {1, 2, 0, 1, 2, 0, 1, 2, 0, 1}, NpyArray.read(out.resolve("city.npy")).longs());
    assertArrayEquals(
        new long[] {1, 2, 3, 4, 1, 2, 3, 4, 1, 2}, NpyArray.read(out.resolve("code.npy")).longs());
  }

  @Test
  void countsOfDifferentValuesStopAtTheirLimit() throws IOException {
    assertEquals(0, stats("stats.json", "--distinct", "48").code());
    assertTrue(columns().get("w").get("distinct").isNull());
    assertEquals(0, stats("stats.json", "--distinct", "49", "--force").code());
    assertEquals(49, columns().get("w").get("distinct").intValue());
  }

  @Test
  void whatCanNotBeIsRefused() throws IOException {
    Invocation few = stats("stats.json", "--vocabulary", "2", "--distinct", "0");
    assertEquals(2, few.code());
    assertTrue(few.err().contains("more values than a vocabulary may: --vocabulary=2"), few.err());
    assertTrue(Files.notExists(folder.resolve("stats.json")));
    assertEquals(2, stats("stats.json", "--threads", "0").code());
    Files.writeString(folder.resolve("code.txt"), "mine");
    Invocation there = stats("stats.json");
    assertEquals(2, there.code());
    assertTrue(there.err().contains("--force overwrites it"), there.err());
    assertEquals("mine", Files.readString(folder.resolve("code.txt")));
    assertEquals(2, stats("code.txt", "--force").code());
  }
}
