package io.penstock.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.feed.DatasetSpec.BadRowGroup;
import io.penstock.feed.DatasetSpec.Partitions;
import io.penstock.feed.Scalar.BoolScalar;
import io.penstock.feed.Scalar.FloatScalar;
import io.penstock.feed.Scalar.IntegerScalar;
import io.penstock.feed.Scalar.StringScalar;
import io.penstock.model.DType;
import io.penstock.model.Deal;
import io.penstock.model.OrderSpec;
import io.penstock.model.Remainder;
import io.penstock.model.Shuffle;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FeedParserTest {
  private static final Optional<List<String>> ALL = Optional.empty();

  private static Feed parse(String text) {
    return FeedParser.parse(text, "feed.yaml", new TestingFiles());
  }

  /** A feed with one tensor {@code x} of these ops. */
  private static Feed withOps(String ops, TestingFiles files) {
    return FeedParser.parse(
        """
        penstock: 1
        dataset: {paths: [/a]}
        order: {seed: 0, lanes: 1, batch: 1}
        tensors:
          x: {columns: [a, b], dtype: int64, shape: [2], ops: %s}
        """
            .formatted(ops),
        "feed.yaml",
        files);
  }

  private static List<Op> ops(String ops) {
    return withOps(ops, new TestingFiles()).tensors().get(0).ops();
  }

  private static String canonicalOps(String ops, TestingFiles files) {
    String canonical = withOps(ops, files).canonical();
    String start = "\"name\":\"x\",\"ops\":";
    int from = canonical.indexOf(start) + start.length();
    return canonical.substring(from, canonical.indexOf(",\"shape\"", from));
  }

  private static String canonicalOps(String ops) {
    return canonicalOps(ops, new TestingFiles());
  }

  private static IntegerScalar whole(long value) {
    return IntegerScalar.of(value);
  }

  @Test
  void thePublishedVectorsHold() throws IOException {
    try (InputStream in = FeedParserTest.class.getResourceAsStream("feed-vectors.json")) {
      JsonNode vectors = new ObjectMapper().readTree(in);
      assertEquals(3, vectors.size());
      for (JsonNode vector : vectors) {
        Feed feed = parse(vector.get("yaml").asText());
        assertEquals(vector.get("canonical").asText(), feed.canonical());
        assertEquals(vector.get("sha256").asText(), feed.digest());
      }
    }
  }

  @Test
  void defaultsArePutIn() {
    Feed feed =
        parse(
            """
            penstock: 1
            dataset: {paths: [/a]}
            order: {seed: 0, lanes: 2, batch: 8}
            tensors: {x: {column: a, dtype: float32}}
            """);
    assertEquals(
        new DatasetSpec(
            List.of("/a"), List.of(), Partitions.NONE, Map.of(), BadRowGroup.FAIL, 0.001),
        feed.dataset());
    assertEquals(new OrderSpec(0, 2, 8, 8, Shuffle.ROWS, Deal.FIXED, Remainder.DROP), feed.order());
    assertEquals(1, feed.epochs());
    assertEquals(
        List.of(
            new TensorFeed(
                "x",
                TensorFeed.Axis.NONE,
                List.of("a"),
                DType.FLOAT32,
                List.of(),
                Optional.empty(),
                false,
                4,
                List.of())),
        feed.tensors());
    assertEquals(Map.of(), feed.files());
    assertEquals("feed.yaml", feed.source());
  }

  @Test
  void everyKeyIsRead() {
    Feed feed =
        parse(
            """
            penstock: 1
            dataset:
              paths: [hdfs:///a, /b/*]
              exclude: ["*.crc", tmp/*]
              partitions: hive
              partition_types: {day: int64, city: string}
              bad_row_group: quarantine
              max_bad_rows: 1
            order:
              seed: 9223372036854775807
              lanes: 3
              batch: 96
              shuffle: row-groups
              window: 2147483647
              deal: epoch
              remainder: pad
              epochs: 4294967295
            tensors:
              x:
                columns: [a, b_*]
                dtype: bool
                shape: [2, 3]
                mask: true
                ops:
                  - log1p
                  - fill: 0
            """);
    assertEquals(
        new DatasetSpec(
            List.of("hdfs:///a", "/b/*"),
            List.of("*.crc", "tmp/*"),
            Partitions.HIVE,
            Map.of("day", PartitionType.INT64, "city", PartitionType.STRING),
            BadRowGroup.QUARANTINE,
            1.0),
        feed.dataset());
    assertEquals(
        new OrderSpec(
            Long.MAX_VALUE,
            3,
            96,
            Integer.MAX_VALUE,
            Shuffle.ROW_GROUPS,
            Deal.EPOCH,
            Remainder.PAD),
        feed.order());
    assertEquals(4294967295L, feed.epochs());
    assertEquals(
        new TensorFeed(
            "x",
            TensorFeed.Axis.COLUMNS,
            List.of("a", "b_*"),
            DType.BOOL,
            List.of(new Op.Log1p(ALL), new Op.Fill(whole(0), Op.NaN.KEEP, ALL)),
            Optional.of(List.of(2, 3)),
            true,
            19,
            List.of(25, 26)),
        feed.tensors().get(0));
    assertTrue(
        feed.canonical().contains("\"max_bad_rows\":1,\"partition_types\":{\"day\":\"int64\"},"),
        feed.canonical());
  }

  @Test
  void everyOpIsRead() {
    Optional<List<String>> some = Optional.of(List.of("a", "b*"));
    assertEquals(
        List.of(
            new Op.Fill(new StringScalar("NO"), Op.NaN.FILL, some),
            new Op.Fill(new BoolScalar(true), Op.NaN.KEEP, ALL),
            new Op.Fill(new FloatScalar(Double.NaN), Op.NaN.KEEP, ALL),
            new Op.Clip(Optional.of(whole(0)), Optional.of(new FloatScalar(1.5)), some),
            new Op.Clip(Optional.empty(), Optional.of(whole(7)), ALL),
            new Op.Log1p(some),
            new Op.Standardize(Map.of("a", 1.0), Map.of("a", -0.5), Optional.empty(), ALL),
            new Op.Bucketize(List.of(whole(0), new FloatScalar(0.5), whole(10)), some),
            new Op.HashOp(10, 0, some),
            new Op.HashOp(1, -1, ALL),
            new Op.Vocabulary(
                Optional.empty(), List.of(new StringScalar("x"), new StringScalar("y")), -1, some),
            new Op.Vocabulary(Optional.empty(), List.of(whole(3)), 0, ALL),
            new Op.Unscaled(ALL),
            new Op.Unscaled(some),
            new Op.Pad(List.of(20), whole(0), ALL),
            new Op.Pad(List.of(2, 3), new FloatScalar(0.5), some),
            new Op.DecodeNpy(ALL),
            new Op.DecodeNpy(some),
            new Op.DecodeImage(2, 3, 1, Op.DecodeImage.Resize.NONE, ALL),
            new Op.DecodeImage(2, 3, 3, Op.DecodeImage.Resize.BILINEAR, some),
            new Op.UserClass("com.acme.Foo", Optional.empty(), Map.of())),
        ops(
            """
            [
              {fill: {value: NO, nan: true, columns: [a, "b*"]}},
              {fill: true},
              {fill: .nan},
              {clip: {min: 0, max: 1.5, columns: [a, "b*"]}},
              {clip: {max: 7}},
              {log1p: {columns: [a, "b*"]}},
              {standardize: {mean: {a: 1}, std: {a: -0.5}}},
              {bucketize: {bounds: [0, 0.5, 10], columns: [a, "b*"]}},
              {hash: {buckets: 10, seed: 0, columns: [a, "b*"]}},
              {hash: {buckets: 1, seed: 18446744073709551615}},
              {vocabulary: {values: [x, y], unknown: -1, columns: [a, "b*"]}},
              {vocabulary: {values: [3]}},
              unscaled,
              {unscaled: {columns: [a, "b*"]}},
              {pad: {length: 20}},
              {pad: {length: [2, 3], value: 0.5, columns: [a, "b*"]}},
              {decode: npy},
              {decode: {npy: {}, columns: [a, "b*"]}},
              {decode: {image: {height: 2, width: 3, channels: 1}}},
              {decode: {image: {height: 2, width: 3, channels: 3, resize: bilinear}, columns: [a, "b*"]}},
              {class: com.acme.Foo}]
            """));
  }

  @Test
  void canonicalOpsAreObjectsOfObjectsWithoutDefaults() {
    assertEquals(
        "[{\"fill\":{\"value\":0}},{\"fill\":{\"nan\":true,\"value\":0.0}},{\"log1p\":{}},"
            + "{\"log1p\":{}},{\"log1p\":{\"columns\":[\"b\",\"a\"]}},{\"unscaled\":{}},"
            + "{\"hash\":{\"buckets\":5}},{\"hash\":{\"buckets\":5,\"seed\":1}},"
            + "{\"vocabulary\":{\"values\":[\"a\"]}},"
            + "{\"vocabulary\":{\"unknown\":-1,\"values\":[1,2]}}]",
        canonicalOps(
            """
            [fill: 0, {fill: {value: 0.0, nan: true}}, log1p, {log1p: {}},
             {log1p: {columns: [b, a]}}, {unscaled: {}}, {hash: {buckets: 5, seed: 0}},
             {hash: {buckets: 0x5, seed: 1}}, {vocabulary: {values: [a], unknown: 0}},
             {vocabulary: {values: [1, 0o2], unknown: -1}}]
            """));
    assertEquals(
        "[{\"pad\":{\"length\":3}},{\"pad\":{\"length\":[3],\"value\":0.0}},"
            + "{\"fill\":{\"value\":NaN}},{\"clip\":{\"max\":Infinity,\"min\":-0.0}},"
            + "{\"standardize\":{\"mean\":{\"a\":1},\"std\":{\"a\":1.0}}},"
            + "{\"decode\":{\"npy\":{}}},{\"decode\":{\"npy\":{}}},"
            + "{\"decode\":{\"image\":{\"channels\":3,\"decoder\":\"imageio 1\",\"height\":1,\"width\":2}}},"
            + "{\"decode\":{\"image\":{\"channels\":3,\"decoder\":\"imageio 1\",\"height\":1,"
            + "\"resize\":\"bilinear\",\"width\":2}}},"
            + "{\"class\":{\"name\":\"a.B\"}},"
            + "{\"class\":{\"args\":{\"k\":[1,1.0,null,true,\"s\",{\"x\":2e+23}]},\"name\":\"a.B\"}}]",
        canonicalOps(
            """
            [{pad: {length: 3, value: 0}}, {pad: {length: [3], value: 0.0}},
             {fill: .nan}, {clip: {min: -0.0, max: .inf}},
             {standardize: {mean: {a: 1}, std: {a: 1.0}}},
             decode: npy, {decode: {npy: {}}},
             {decode: {image: {height: 1, width: 2, channels: 3, resize: none}}},
             {decode: {image: {height: 1, width: 2, channels: 3, resize: bilinear}}},
             {class: a.B, args: {}},
             {class: a.B, args: {k: [1, 1.0, null, true, s, {x: 2.0e+23}]}}]
            """));
  }

  @Test
  void argumentsOfAClassAreATreeOfPlainValues() {
    Op.UserClass op =
        (Op.UserClass)
            ops("[{class: a.B$C, args: {k: [1, 1.0, ~, true, NO], big: 18446744073709551616}}]")
                .get(0);
    assertEquals("a.B$C", op.className());
    assertEquals(Arrays.asList(1L, 1.0, null, true, "NO"), op.args().get("k"));
    assertEquals(BigInteger.TWO.pow(64), op.args().get("big"));
    assertThrows(UnsupportedOperationException.class, () -> op.args().clear());
  }

  @Test
  void namedFilesAreReadOnceAndStandInTheCanonicalTextByTheirDigest() {
    TestingFiles files =
        new TestingFiles()
            .with("words.txt", "b\r\na\n\n c")
            .with(
                "stats.json",
                """
                {"rows": 10, "columns": {
                  "a": {"mean": 1, "std": 2.5e-1, "min": null},
                  "b": {"mean": -3.5, "std": 0, "vocabulary": ["x"]},
                  "c": {"distinct": 3}, "d": {"mean": null, "std": null}}}
                """)
            .with("my.jar", new byte[] {0, -1});
    String text =
        "[{vocabulary: {file: words.txt}}, {vocabulary: {file: words.txt, unknown: 9}},"
            + " {standardize: {file: stats.json}}, {class: a.B, jar: my.jar}]";
    Feed feed = withOps(text, files);
    assertEquals(3, files.reads());
    List<Op> ops = feed.tensors().get(0).ops();
    assertEquals(
        new Op.Vocabulary(
            Optional.of("words.txt"),
            List.of(
                new StringScalar("b"),
                new StringScalar("a"),
                new StringScalar(""),
                new StringScalar(" c")),
            0,
            ALL),
        ops.get(0));
    assertEquals(
        new Op.Standardize(
            Map.of("a", 1.0, "b", -3.5),
            Map.of("a", 0.25, "b", 0.0),
            Optional.of("stats.json"),
            ALL),
        ops.get(2));
    assertEquals(new Op.UserClass("a.B", Optional.of("my.jar"), Map.of()), ops.get(3));
    // By sha256sum.
    String words = "1266c157182a182d145d8684475aa729b1132ba81bc09e3453278ea31544dd5a";
    String jar = "06eb7d6a69ee19e5fbdf749018d3d2abfa04bcbd1365db312eb86dc7169389b8";
    assertEquals(List.of("words.txt", "stats.json", "my.jar"), List.copyOf(feed.files().keySet()));
    assertEquals(words, feed.files().get("words.txt").sha256());
    assertEquals(jar, feed.files().get("my.jar").sha256());
    assertEquals(
        "[{\"vocabulary\":{\"file\":{\"path\":\"words.txt\",\"sha256\":\""
            + words
            + "\"}}},{\"vocabulary\":{\"file\":{\"path\":\"words.txt\",\"sha256\":\""
            + words
            + "\"},\"unknown\":9}},{\"standardize\":{\"file\":{\"path\":\"stats.json\",\"sha256\":\""
            + feed.files().get("stats.json").sha256()
            + "\"}}},{\"class\":{\"jar\":{\"path\":\"my.jar\",\"sha256\":\""
            + jar
            + "\"},\"name\":\"a.B\"}}]",
        canonicalOps(text, files));
  }

  @Test
  void aFileThatChangesChangesTheDigest() {
    String ops = "[{vocabulary: {file: w}}]";
    String one = withOps(ops, new TestingFiles().with("w", "a\n")).digest();
    String other = withOps(ops, new TestingFiles().with("w", "b\n")).digest();
    assertNotEquals(one, other);
  }

  @Test
  void scalarsFollowTheCoreSchemaOfYaml12() {
    assertEquals(
        "[{\"class\":{\"args\":{\"k\":[\"NO\",\"yes\",\"on\",true,false,null,null,null,12,-7,8,255,"
            + "1.0,0.5,100000.0,-Infinity,NaN,\"1_000\",\"1:30\",\"0b1\",\"2024-01-01\",\"1\",1.0,\"<<\"]},"
            + "\"name\":\"a.B\"}}]",
        canonicalOps(
            """
            [{class: a.B, args: {k: [NO, yes, on, True, FALSE, ~, null, NULL, 012, -7, 0o10, 0xFF,
              1., .5, 1e5, -.inf, .NaN, 1_000, 1:30, 0b1, 2024-01-01, !!str 1, !!float 1, <<]}}]
            """));
  }

  @Test
  void anchorsAndAliasesWork() {
    Feed feed =
        parse(
            """
            penstock: 1
            dataset: {paths: [/a]}
            order: {seed: 0, lanes: 1, batch: 1}
            tensors:
              x: {column: a, dtype: float32, ops: &ops [{fill: 0}, log1p]}
              y: {column: b, dtype: float32, ops: *ops}
            """);
    assertEquals(feed.tensors().get(0).ops(), feed.tensors().get(1).ops());
    assertEquals(List.of(6, 6), feed.tensors().get(1).opLines());
  }
}
