package io.penstock.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.model.ColumnSchema;
import io.penstock.model.ColumnType;
import io.penstock.model.ColumnType.Kind;
import io.penstock.model.DType;
import io.penstock.model.TensorSpec;
import io.penstock.model.UsageException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expected values are worked out by hand from FEED.md. */
class BoundFeedTest {
  private static final List<ColumnSchema> SCHEMA =
      List.of(
          top("f", new ColumnType(Kind.FLOAT, 0, 0)),
          top("f2", new ColumnType(Kind.FLOAT, 0, 0)),
          top("dist_a", new ColumnType(Kind.FLOAT, 0, 0)),
          top("i", new ColumnType(Kind.INTEGER, 0, 0)),
          top("u", new ColumnType(Kind.UNSIGNED, 0, 0)),
          top("b", new ColumnType(Kind.BOOLEAN, 0, 0)),
          top("d", new ColumnType(Kind.DECIMAL, 2, 0)),
          top("t", new ColumnType(Kind.TIMESTAMP, 0, 0)),
          top("s", new ColumnType(Kind.BYTES, 0, 0)),
          top("li", new ColumnType(Kind.INTEGER, 0, 1)),
          top("lf", new ColumnType(Kind.FLOAT, 0, 1)),
          top("lls", new ColumnType(Kind.BYTES, 0, 2)),
          new ColumnSchema("m", true, Optional.empty(), "map<string, int32>", false),
          new ColumnSchema("st", true, Optional.empty(), "struct", false),
          new ColumnSchema(
              "st.x", false, Optional.of(ColumnType.scalar(Kind.FLOAT)), "double", false),
          top("both.x", ColumnType.scalar(Kind.FLOAT)),
          new ColumnSchema(
              "both.x", false, Optional.of(ColumnType.scalar(Kind.FLOAT)), "double", false),
          top("dist_b", new ColumnType(Kind.FLOAT, 0, 0)),
          new ColumnSchema(
              "dist_day", true, Optional.of(ColumnType.scalar(Kind.INTEGER)), "int64", true));

  private static ColumnSchema top(String name, ColumnType type) {
    return new ColumnSchema(name, true, Optional.of(type), type.toString(), false);
  }

  private static BoundFeed bind(String tensors, TestingFiles files) {
    String text =
        "penstock: 1\ndataset: {paths: [/a]}\norder: {seed: 0, lanes: 1, batch: 1}\ntensors:\n"
            + tensors.indent(2);
    return BoundFeed.bind(FeedParser.parse(text, "f.yaml", files), SCHEMA);
  }

  private static BoundFeed bind(String tensors) {
    return bind(tensors, new TestingFiles());
  }

  private static List<String> errors(String tensors) {
    return errors(tensors, new TestingFiles());
  }

  private static List<String> errors(String tensors, TestingFiles files) {
    UsageException e = assertThrows(UsageException.class, () -> bind(tensors, files));
    return e.getMessage().lines().toList();
  }

  private static List<String> paths(BoundTensor tensor) {
    return tensor.columns().stream().map(BoundColumn::path).toList();
  }

  private static List<String> opNames(BoundColumn column) {
    return column.ops().stream().map(Op::name).toList();
  }

  @Test
  void aColumnHasNoAxisOfItsOwnAndColumnsHaveOne() {
    BoundFeed feed =
        bind(
            """
            label: {column: f, dtype: float32}
            one: {columns: [f], dtype: float64}
            two: {columns: [i, f], dtype: float16, mask: true}
            list: {column: li, dtype: int64, ops: [{pad: {length: 20}}], mask: true}
            lists: {columns: [li, lf], dtype: float32, ops: [{pad: {length: 3, value: -1}}]}
            vector: {column: lf, dtype: float32, shape: [64]}
            """);
    assertEquals(
        List.of(
            new TensorSpec("label", DType.FLOAT32, List.of()),
            new TensorSpec("one", DType.FLOAT64, List.of(1)),
            new TensorSpec("two", DType.FLOAT16, List.of(2)),
            new TensorSpec("two_mask", DType.BOOL, List.of(2)),
            new TensorSpec("list", DType.INT64, List.of(20)),
            new TensorSpec("list_mask", DType.BOOL, List.of(20)),
            new TensorSpec("lists", DType.FLOAT32, List.of(2, 3)),
            new TensorSpec("vector", DType.FLOAT32, List.of(64))),
        feed.specs());
    assertEquals(4 + 8 + 4 + 2 + 160 + 20 + 24 + 256, feed.rowBytes());
    assertEquals(List.of("f", "i", "li", "lf"), feed.fileColumns());
    assertEquals(List.of(), feed.tensors().get(1).itemAxes());
    assertEquals(List.of(20), feed.tensors().get(3).itemAxes());
    assertEquals(List.of(3), feed.tensors().get(4).itemAxes());
  }

  @Test
  void globsFollowTheSchemaWithHiveColumnsLastAndSkipWhatIsTaken() {
    BoundFeed feed =
        bind(
            """
            x: {columns: [f2, dist_b, "dist_*", "f?", st.x], dtype: float32}
            y: {column: dist_day, dtype: int64}
            """);
    assertEquals(
        List.of("f2", "dist_b", "dist_a", "dist_day", "st.x"), paths(feed.tensors().get(0)));
    assertEquals(
        new BoundColumn("dist_day", ColumnType.scalar(Kind.INTEGER), true, List.of()),
        feed.tensors().get(1).columns().get(0));
    assertEquals(List.of("f2", "dist_b", "dist_a", "st.x"), feed.fileColumns());
  }

  @Test
  void opsTouchTheColumnsThatTheyName() {
    BoundFeed feed =
        bind(
            """
            x:
              columns: [f, f2, dist_a, st.x]
              dtype: float32
              ops:
                - fill: 0
                - log1p: {columns: ["f*", st.x]}
                - clip: {min: 0, columns: [dist_a, f]}
                - standardize: {mean: {f2: 1, st.x: 2}, std: {f2: 1, st.x: 2}}
            """);
    List<BoundColumn> columns = feed.tensors().get(0).columns();
    assertEquals(List.of("fill", "log1p", "clip"), opNames(columns.get(0)));
    assertEquals(List.of("fill", "log1p", "standardize"), opNames(columns.get(1)));
    assertEquals(List.of("fill", "clip"), opNames(columns.get(2)));
    assertEquals(List.of("fill", "log1p", "standardize"), opNames(columns.get(3)));
  }

  @Test
  void opsThatMakeShapesAreFollowed() {
    BoundFeed feed =
        bind(
            """
            npy: {column: s, dtype: float32, shape: [2, 3], ops: [decode: npy]}
            npy0: {column: s, dtype: float32, shape: [], ops: [decode: npy]}
            image: {column: s, dtype: uint8, ops: [{decode: {image: {height: 5, width: 7, channels: 3}}}]}
            nested: {column: lls, dtype: int32, ops: [{hash: {buckets: 9}}, {pad: {length: [4, 2]}}]}
            words: {column: lls, dtype: int32, ops: [{pad: {length: [4, 2], value: ""}}, {vocabulary: {values: [a]}}]}
            both: {column: li, dtype: int32, shape: [4], ops: [{pad: {length: 4}}]}
            user: {column: s, dtype: float32, shape: [8], ops: [{class: a.B}]}
            """);
    assertEquals(
        List.of(
            List.of(2, 3),
            List.of(),
            List.of(5, 7, 3),
            List.of(4, 2),
            List.of(4, 2),
            List.of(4),
            List.of(8)),
        feed.specs().stream().map(TensorSpec::itemShape).toList());
  }

  @Test
  void kindsAreFollowedThroughTheOps() {
    BoundFeed feed =
        bind(
            """
            a: {column: i, dtype: int64, ops: [{fill: -1}, {hash: {buckets: 9}}]}
            b: {column: u, dtype: int64, ops: [{fill: 18446744073709551615}, {hash: {buckets: 9}}]}
            c: {column: d, dtype: int64, ops: [unscaled, {fill: 5}, {hash: {buckets: 9}}]}
            d: {column: d, dtype: float32, ops: [{fill: 0.5}, log1p, {bucketize: {bounds: [1]}}, {hash: {buckets: 9}}]}
            e: {column: s, dtype: int64, ops: [{fill: "NO"}, {vocabulary: {values: ["NO"]}}, {vocabulary: {values: [1]}}]}
            f: {column: t, dtype: float64, ops: [{clip: {min: 0, max: .inf}}]}
            g: {column: b, dtype: bool, ops: [fill: false]}
            h: {column: b, dtype: float32, ops: [{fill: 0.5}, {fill: .nan}]}
            j: {column: i, dtype: int64, ops: [{vocabulary: {file: ids}}]}
            l: {column: u, dtype: int64, ops: [fill: -1]}
            m: {column: i, dtype: int64, ops: [fill: 18446744073709551615, {clip: {min: -9223372036854775809}}]}
            k: {columns: [f, f2], dtype: float32, ops: [{standardize: {file: stats}}]}
            """,
            new TestingFiles()
                .with("ids", "10\n-3\n007\n")
                .with(
                    "stats",
                    "{\"columns\": {\"f\": {\"mean\": 1, \"std\": 2}, \"f2\": {\"mean\": 0.5,"
                        + " \"std\": 3}, \"g\": {\"mean\": 1, \"std\": 0}}}"));
    assertEquals(12, feed.specs().size());
    assertEquals(List.of("standardize"), opNames(feed.tensors().get(11).columns().get(1)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{column: fx, dtype: bool}|no column 'fx' in the dataset; did you mean 'f'?",
        "{column: zzzzzzz, dtype: bool}|no column 'zzzzzzz' in the dataset",
        "{column: \"f*\", dtype: bool}|no column 'f*' in the dataset; globs need columns: [..]",
        "{columns: [\"z*\"], dtype: bool}|no top-level column matches 'z*'",
        "{columns: [\"st.*\"], dtype: bool}|no top-level column matches 'st.*'",
        "{columns: [\"f[\"], dtype: bool}|'[' is not closed in glob 'f['",
        "{column: both.x, dtype: bool}|'both.x' is both a top-level column and the path of a nested"
            + " one",
        "{columns: [f, f], dtype: bool}|takes column 'f' twice",
        "{columns: [\"f*\", f2], dtype: bool}|takes column 'f2' twice",
        "{column: m, dtype: bool}|column 'm' has a type that is not supported: map<string, int32>",
        "{columns: [\"s*\"], dtype: bool}|column 'st' has a type that is not supported: struct",
        "{column: s, dtype: bool}|bytes need an op that makes numbers of them (hash, vocabulary,"
            + " decode): column s (bytes)",
        "{column: li, dtype: bool}|lists need pad or shape: column li (list<integer>)",
        "{column: lls, dtype: bool, ops: [{hash: {buckets: 1}}]}|lists need pad or shape: column lls"
            + " (list<list<bytes>>)",
        "{columns: [f, li], dtype: bool, ops: [{pad: {length: 2, columns: [li]}}]}|all columns must"
            + " have equal axes: [] column f (float); [2] column li (list<integer>)",
        "{column: f, dtype: bool, shape: [2]}|shape is of one column's row, which has 0 axes:"
            + " shape=[2]: column f (float)",
        "{columns: [li, lf], dtype: bool, shape: [2, 3]}|shape is of one column's row, which has 1"
            + " axes: shape=[2, 3]: columns li (list<integer>), lf (list<float>)",
        "{column: li, dtype: bool, shape: [3], ops: [{pad: {length: 2}}]}|the ops make a row of"
            + " shape [2]: shape=[3]: column li (list<integer>)",
        "{column: f, dtype: bool, ops: [{pad: {length: 2}}]}|pad takes lists: column f (float)",
        "{column: lls, dtype: bool, ops: [{pad: {length: 2}}]}|pad needs one length for each of the"
            + " 2 list axes: length=[2]: column lls (list<list<bytes>>)",
        "{column: lls, dtype: bool, ops: [{pad: {length: [2, 2]}}]}|pad of bytes needs a string:"
            + " value=0: column lls (list<list<bytes>>)",
        "{column: li, dtype: bool, ops: [{pad: {length: 2, value: x}}]}|pad of numbers needs a"
            + " number: value=\"x\": column li (list<integer>)",
        "{column: f, dtype: bool, ops: [{hash: {buckets: 1}}]}|hash takes bytes or whole numbers,"
            + " not floats: column f (float)",
        "{column: d, dtype: bool, ops: [{hash: {buckets: 1}}]}|hash takes bytes or whole numbers,"
            + " not floats: column d (decimal(scale 2))",
        "{column: i, dtype: bool, ops: [{fill: 0.0}, {hash: {buckets: 1}}]}|hash takes bytes or"
            + " whole numbers, not floats: column i (integer)",
        "{column: i, dtype: bool, ops: [{clip: {min: 0.0}}, {hash: {buckets: 1}}]}|hash takes bytes"
            + " or whole numbers, not floats: column i (integer)",
        "{column: li, dtype: bool, ops: [{pad: {length: 1, value: 0.0}}, {hash: {buckets: 1}}]}|hash"
            + " takes bytes or whole numbers, not floats: column li (list<integer>)",
        "{column: f, dtype: bool, ops: [{vocabulary: {values: [1]}}]}|vocabulary takes bytes or"
            + " whole numbers, not floats: column f (float)",
        "{column: s, dtype: bool, ops: [{vocabulary: {values: [1]}}]}|vocabulary of bytes needs"
            + " strings as values: column s (bytes)",
        "{column: i, dtype: bool, ops: [{vocabulary: {values: [a]}}]}|vocabulary of whole numbers"
            + " needs whole numbers as values: column i (integer)",
        "{column: s, dtype: bool, ops: [log1p]}|log1p takes numbers, not bytes: column s (bytes)",
        "{column: s, dtype: bool, ops: [{clip: {min: 0}}]}|clip takes numbers, not bytes: column s"
            + " (bytes)",
        "{column: s, dtype: bool, ops: [{bucketize: {bounds: [0]}}]}|bucketize takes numbers, not"
            + " bytes: column s (bytes)",
        "{column: s, dtype: bool, ops: [{standardize: {mean: {s: 1}, std: {s: 1}}}]}|standardize"
            + " takes numbers, not bytes: column s (bytes)",
        "{column: s, dtype: bool, ops: [fill: 0]}|fill of bytes needs a string: value=0: column s"
            + " (bytes)",
        "{columns: [f, i], dtype: bool, ops: [fill: \"0\"]}|fill of numbers needs a number:"
            + " value=\"0\": columns f (float), i (integer)",
        "{column: i, dtype: bool, ops: [fill: true]}|fill with true or false takes only BOOLEAN"
            + " columns: column i (integer)",
        "{column: i, dtype: bool, ops: [fill: 18446744073709551616]}|fill of whole numbers needs a"
            + " value of 64 bits: value=18446744073709551616: column i (integer)",
        "{column: u, dtype: bool, ops: [fill: -9223372036854775809]}|fill of whole numbers needs a"
            + " value of 64 bits: value=-9223372036854775809: column u (unsigned)",
        "{column: f, dtype: bool, ops: [fill: 9007199254740993]}|fill of floats needs a value that"
            + " float64 holds exactly: value=9007199254740993: column f (float)",
        "{column: i, dtype: bool, ops: [unscaled]}|unscaled takes only DECIMAL columns: column i"
            + " (integer)",
        "{column: d, dtype: bool, ops: [fill: 0, unscaled]}|unscaled must be the first op on a"
            + " column: column d (decimal(scale 2))",
        "{column: f, dtype: bool, ops: [{decode: {image: {height: 1, width: 1, channels: 1}}}]}|decode"
            + " takes bytes: column f (float)",
        "{column: lls, dtype: bool, shape: [1], ops: [decode: npy]}|decode takes columns without"
            + " lists: column lls (list<list<bytes>>)",
        "{columns: [f, i], dtype: bool, ops: [{log1p: {columns: [f2]}}]}|log1p: the tensor has no"
            + " column 'f2'; did you mean 'f'?",
        "{columns: [f, i], dtype: bool, ops: [{log1p: {columns: [\"x*\"]}}]}|log1p: the tensor has"
            + " no column 'x*'; did you mean 'f'?",
        "{columns: [f, i], dtype: bool, ops: [{standardize: {mean: {f2: 1}, std: {f2:"
            + " 1}}}]}|standardize: the tensor has no column 'f2'; did you mean 'f'?",
        "{columns: [f, i], dtype: bool, ops: [{standardize: {mean: {f: 1}, std: {f: 1}, columns: [i,"
            + " f]}}]}|standardize: no mean and std for column 'i'",
        "{column: lf, dtype: float64, shape: [268435456]}|a row must take < 2^31 bytes: float64"
            + " [268435456]",
        "{column: lls, dtype: bool, shape: [2147483647, 2147483647], ops: [{hash: {buckets: 1}}]}|a"
            + " row must take < 2^31 bytes: bool [2147483647, 2147483647]"
      })
  void whatDoesNotFitIsReportedWithItsLine(String tensor, String expected) {
    assertEquals(List.of("f.yaml:5: tensor 'x': " + expected), errors("x: " + tensor));
  }

  @Test
  void namedFilesMustFitTheColumns() {
    TestingFiles files =
        new TestingFiles()
            .with("words", "1\nx\n")
            .with("twice", "1\n01\n")
            .with("stats", "{\"columns\": {\"f\": {\"mean\": 1, \"std\": 0}}}");
    assertEquals(
        List.of(
            "f.yaml:5: tensor 'a': vocabulary of whole numbers needs whole numbers as values: words"
                + " has \"x\": column i (integer)",
            "f.yaml:6: tensor 'b': vocabulary has a value twice: twice has 01: column i (integer)",
            "f.yaml:7: tensor 'c': standardize: std must not be 0: column 'f'",
            "f.yaml:7: tensor 'c': standardize: no mean and std for column 'f2' in stats"),
        errors(
            """
            a: {column: i, dtype: bool, ops: [{vocabulary: {file: words}}]}
            b: {column: i, dtype: bool, ops: [{vocabulary: {file: twice}}]}
            c: {columns: [f, f2], dtype: bool, ops: [{standardize: {file: stats}}]}
            """,
            files));
  }

  @Test
  void allErrorsAreReportedAtOnceAndAnOpsErrorHasTheOpsLine() {
    assertEquals(
        List.of(
            "f.yaml:5: tensor 'a': no column 'zzzzzzz' in the dataset",
            "f.yaml:5: tensor 'a': column 'm' has a type that is not supported: map<string, int32>",
            "f.yaml:6: tensor 'b': lists need pad or shape: columns li (list<integer>), lf"
                + " (list<float>)",
            "f.yaml:11: tensor 'b': hash takes bytes or whole numbers, not floats: columns f"
                + " (float), f2 (float), dist_a (float), d (decimal(scale 2)), st.x (float) and 1"
                + " more"),
        errors(
            """
            a: {columns: [zzzzzzz, m], dtype: bool}
            b:
              columns: [f, f2, dist_a, d, st.x, i, dist_b, li, lf]
              dtype: bool
              ops:
              - clip: {min: 0}
              - hash: {buckets: 7, columns: ["f*", "d*", st.x]}
            """));
  }

  @Test
  void theExampleOfTheFeedFormatIsBound() {
    Feed feed =
        FeedParser.parse(
            """
            penstock: 1                                # version of this format
            dataset:
              paths: [hdfs:///warehouse/rides]
              exclude: ["*.crc"]
              partitions: hive
              partition_types: {day: int64}
              bad_row_group: fail
            order:
              seed: 42
              lanes: 8
              batch: 8192
              shuffle: rows
              window: 8
              deal: fixed
              remainder: drop
              epochs: 3
            tensors:
              features:
                columns: [fare, tip, dist_*]
                dtype: float32
                ops:                                   # applied in order, on the workers
                  - fill: 0
                  - clip: {min: 0, max: 1000}
                  - log1p: {columns: [fare, tip]}
                  - standardize: {mean: {fare: 1.2}, std: {fare: 0.7}}
              ids: {columns: [user_id, city], dtype: int64, ops: [{hash: {buckets: 1000000}}]}
              clicks: {column: clicks, dtype: int64, ops: [{pad: {length: 20, value: 0}}]}
              vector: {column: embedding, dtype: float16, shape: [64]}
              image: {column: jpeg, dtype: uint8, ops: [{decode: {image: {height: 224, width: 224, channels: 3}}}]}
              label: {column: label, dtype: float32}
            """,
            "feed.yaml",
            new TestingFiles());
    BoundFeed bound =
        BoundFeed.bind(
            feed,
            List.of(
                top("user_id", ColumnType.scalar(Kind.INTEGER)),
                top("city", ColumnType.scalar(Kind.BYTES)),
                top("tip", ColumnType.scalar(Kind.FLOAT)),
                top("dist_km", ColumnType.scalar(Kind.FLOAT)),
                top("fare", new ColumnType(Kind.DECIMAL, 2, 0)),
                top("dist_m", ColumnType.scalar(Kind.INTEGER)),
                top("clicks", new ColumnType(Kind.INTEGER, 0, 1)),
                top("embedding", new ColumnType(Kind.FLOAT, 0, 1)),
                top("jpeg", ColumnType.scalar(Kind.BYTES)),
                top("label", ColumnType.scalar(Kind.BOOLEAN))));
    assertEquals(
        List.of(
            new TensorSpec("features", DType.FLOAT32, List.of(4)),
            new TensorSpec("ids", DType.INT64, List.of(2)),
            new TensorSpec("clicks", DType.INT64, List.of(20)),
            new TensorSpec("vector", DType.FLOAT16, List.of(64)),
            new TensorSpec("image", DType.UINT8, List.of(224, 224, 3)),
            new TensorSpec("label", DType.FLOAT32, List.of())),
        bound.specs());
    assertEquals(List.of("fare", "tip", "dist_km", "dist_m"), paths(bound.tensors().get(0)));
  }
}
