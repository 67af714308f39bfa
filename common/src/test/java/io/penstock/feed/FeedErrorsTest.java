package io.penstock.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.model.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a feed file can get wrong, each with its line. */
class FeedErrorsTest {
  private static List<String> errors(String text, TestingFiles files) {
    UsageException e =
        assertThrows(UsageException.class, () -> FeedParser.parse(text, "f.yaml", files));
    assertEquals(2, e.exitCode());
    return e.getMessage().lines().toList();
  }

  private static List<String> errors(String text) {
    return errors(text, new TestingFiles());
  }

  /** Errors of a good feed in which one text is replaced; its lines are those of the sections. */
  private static List<String> errorsWith(String from, String to) {
    String good =
        """
        penstock: 1
        dataset: {paths: [/a]}
        order: {seed: 0, lanes: 2, batch: 8}
        tensors:
          x: {column: a, dtype: float32}
        """;
    assertTrue(good.contains(from), from);
    FeedParser.parse(good, "f.yaml", new TestingFiles());
    return errors(good.replace(from, to));
  }

  private static List<String> errorsOfOp(String op, TestingFiles files) {
    return errors(
        """
        penstock: 1
        dataset: {paths: [/a]}
        order: {seed: 0, lanes: 2, batch: 8}
        tensors:
          x:
            columns: [a, b]
            dtype: float32
            ops:
            - log1p
            - %s
        """
            .formatted(op),
        files);
  }

  @Test
  void allErrorsAreReportedAtOnceInLineOrder() {
    assertEquals(
        List.of(
            "f.yaml:2: missing: dataset.paths",
            "f.yaml:2: must be one of none, hive: dataset.partitions=\"hives\"; did you mean"
                + " 'hive'?",
            "f.yaml:4: must be a whole number >= 0 and < 2^63: order.seed=-1",
            "f.yaml:6: must be a multiple of lanes: order.batch=9 lanes=2",
            "f.yaml:7: unknown key 'windows' in order; did you mean 'window'?",
            "f.yaml:9: a tensor's name must not be valid, row or position: row",
            "f.yaml:12: unknown op 'log' in tensors.row.ops[0]; did you mean 'log1p'?",
            "f.yaml:13: key 'row' is given twice, first in line 9"),
        errors(
            """
                penstock: 1
                dataset: {partitions: hives}
                order:
                  seed: -1
                  lanes: 2
                  batch: 9
                  windows: 3
                tensors:
                  row:
                    column: a
                    dtype: float32
                    ops: [log]
                  row: {column: b, dtype: bool}
                """));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "penstock: 1|x: 1|f.yaml:1: missing: penstock;;f.yaml:1: unknown key 'x'",
        "penstock: 1|penstock: 2|f.yaml:1: must be a whole number = 1, the version that this"
            + " Penstock reads: penstock=2",
        "penstock: 1|penstock: 1.0|f.yaml:1: must be a whole number = 1, the version that this"
            + " Penstock reads: penstock=1.0",
        "{paths: [/a]}|[/a]|f.yaml:2: must be a mapping: dataset=a list",
        "paths: [/a]|paths: []|f.yaml:2: must not be empty: dataset.paths",
        "paths: [/a]|paths: /a|f.yaml:2: must be a list: dataset.paths=\"/a\"",
        "paths: [/a]|paths: [2024]|f.yaml:2: must be a string that is not empty (put it in quotes):"
            + " dataset.paths=2024",
        "paths: [/a]|paths: [\"\"]|f.yaml:2: must be a string that is not empty:"
            + " dataset.paths=\"\"",
        "paths: [/a]|paths: [/a], path: b|f.yaml:2: unknown key 'path' in dataset; did you mean"
            + " 'paths'?",
        "paths: [/a]|paths: [/a], paths: [/b]|f.yaml:2: key 'paths' is given twice, first in line 2",
        "paths: [/a]|paths: [/a], partition_types: {d: int64}|f.yaml:2: needs partitions: hive:"
            + " dataset.partition_types",
        "paths: [/a]|paths: [/a], partitions: hive, partition_types: {d: int}|f.yaml:2: must be one"
            + " of string, bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32,"
            + " float64, date: dataset.partition_types.d=\"int\"; did you mean 'int8'?",
        "paths: [/a]|paths: [/a], bad_row_group: skip|f.yaml:2: must be one of fail, quarantine:"
            + " dataset.bad_row_group=\"skip\"",
        "paths: [/a]|paths: [/a], max_bad_rows: 0.5|f.yaml:2: needs bad_row_group: quarantine:"
            + " dataset.max_bad_rows=0.5",
        "paths: [/a]|paths: [/a], max_bad_rows: 1.5|f.yaml:2: must be >= 0 and <= 1:"
            + " dataset.max_bad_rows=1.5",
        "paths: [/a]|paths: [/a], max_bad_rows: .nan|f.yaml:2: must be a number:"
            + " dataset.max_bad_rows=NaN",
        "seed: 0|window: 1|f.yaml:3: missing: order.seed",
        "seed: 0|seed: -1|f.yaml:3: must be a whole number >= 0 and < 2^63: order.seed=-1",
        "seed: 0|seed: 9223372036854775808|f.yaml:3: must be a whole number >= 0 and < 2^63:"
            + " order.seed=9223372036854775808",
        "seed: 0|seed: 1.0|f.yaml:3: must be a whole number >= 0 and < 2^63: order.seed=1.0",
        "seed: 0|seed: '1'|f.yaml:3: must be a whole number >= 0 and < 2^63: order.seed=\"1\"",
        "seed: 0|seed:|f.yaml:3: must be a whole number >= 0 and < 2^63: order.seed=null",
        "lanes: 2|lanes: 0|f.yaml:3: must be a whole number >= 1 and < 2^31: order.lanes=0",
        "lanes: 2|lanes: 3|f.yaml:3: must be a multiple of lanes: order.batch=8 lanes=3",
        "batch: 8|batch: 2147483648|f.yaml:3: must be a whole number >= 1 and < 2^31:"
            + " order.batch=2147483648",
        "batch: 8|batch: 8, window: 0|f.yaml:3: must be a whole number >= 1 and < 2^31:"
            + " order.window=0",
        "batch: 8|batch: 8, epochs: 0|f.yaml:3: must be a whole number >= 1 and < 2^32:"
            + " order.epochs=0",
        "batch: 8|batch: 8, epochs: 4294967296|f.yaml:3: must be a whole number >= 1 and < 2^32:"
            + " order.epochs=4294967296",
        "batch: 8|batch: 8, shuffle: yes|f.yaml:3: must be one of none, row-groups, rows:"
            + " order.shuffle=\"yes\"",
        "batch: 8|batch: 8, shuffle: row-group|f.yaml:3: must be one of none, row-groups, rows:"
            + " order.shuffle=\"row-group\"; did you mean 'row-groups'?",
        "batch: 8|batch: 8, deal: 1|f.yaml:3: must be one of fixed, epoch: order.deal=1",
        "batch: 8|batch: 8, remainder: keep|f.yaml:3: must be one of drop, pad:"
            + " order.remainder=\"keep\"",
        "x: {|'a b': {|f.yaml:5: a tensor's name must be ASCII letters, digits, '_', '.' and '-',"
            + " not begin with '.' or '-', and have at most 128 characters: \"a b\"",
        "x: {|../x: {|f.yaml:5: a tensor's name must be ASCII letters, digits, '_', '.' and '-',"
            + " not begin with '.' or '-', and have at most 128 characters: \"../x\"",
        "x: {|1: {|f.yaml:5: a key must be a string: 1; put it in quotes;;"
            + "f.yaml:4: must not be empty: tensors",
        "x: {|valid: {|f.yaml:5: a tensor's name must not be valid, row or position: valid",
        "x: {|position: {|f.yaml:5: a tensor's name must not be valid, row or position: position",
        "column: a, |``|f.yaml:5: needs either column or columns: tensors.x",
        "column: a|column: a, columns: [b]|f.yaml:5: needs either column or columns: tensors.x",
        "column: a|columns: []|f.yaml:5: must not be empty: tensors.x.columns",
        "column: a|column: [a]|f.yaml:5: must be a string that is not empty: tensors.x.column=a"
            + " list",
        ", dtype: float32|``|f.yaml:5: missing: tensors.x.dtype",
        "float32|float|f.yaml:5: must be one of bool, uint8, int8, int16, int32, int64, float16,"
            + " float32, float64: tensors.x.dtype=\"float\"; did you mean 'float16'?",
        "float32|float32, mask: 1|f.yaml:5: must be true or false: tensors.x.mask=1",
        "float32|float32, shape: 64|f.yaml:5: must be a list: tensors.x.shape=64",
        "float32|float32, shape: [0]|f.yaml:5: must be a whole number >= 1 and < 2^31:"
            + " tensors.x.shape=0",
        "float32|float32, ops: log1p|f.yaml:5: must be a list: tensors.x.ops=\"log1p\"",
        "float32|float32, op: [log1p]|f.yaml:5: unknown key 'op' in tensors.x; did you mean"
            + " 'ops'?",
        "float32|float32, ops: [decode: npy]|f.yaml:5: decode: npy needs the tensor's shape:"
            + " tensors.x",
      })
  void aWrongKeyOrValueIsReportedWithItsLine(String from, String to, String expected) {
    assertEquals(
        List.of(expected.split(";;")).stream().sorted().toList(),
        errorsWith(from, to).stream().sorted().toList());
  }

  @Test
  void aTensorCanNotHaveTheNameOfAMask() {
    assertEquals(
        List.of("f.yaml:6: the name is that of the mask of tensor 'x': x_mask"),
        errorsWith(
            "x: {column: a, dtype: float32}",
            "x: {column: a, dtype: float32, mask: true}\n  x_mask: {column: b, dtype: bool}"));
    assertEquals(
        List.of("f.yaml:5: the name is that of the mask of tensor 'x': x_mask"),
        errorsWith(
            "x: {column: a, dtype: float32}",
            "x_mask: {column: b, dtype: bool}\n  x: {column: a, dtype: float32, mask: true}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "hsah: {buckets: 1}|unknown op 'hsah' in tensors.x.ops[1]; did you mean 'hash'?",
        "5|must be the name of an op or a mapping: tensors.x.ops[1]=5",
        "fill|needs settings: tensors.x.ops[1]=fill; write fill: ..",
        "{fill: 0, columns: [a]}|must be one op: tensors.x.ops[1] has keys [fill, columns]",
        "{fill: 0, log1p: {}}|must be one op: tensors.x.ops[1] has keys [fill, log1p]",
        "fill:|must be a mapping: tensors.x.ops[1].fill=null",
        "fill: {nan: true}|missing: tensors.x.ops[1].fill.value",
        "fill: {value: [1]}|must be a number, a string, true or false:"
            + " tensors.x.ops[1].fill.value=a list",
        "fill: {value: 0, nan: 1}|must be true or false: tensors.x.ops[1].fill.nan=1",
        "fill: {value: 0, column: [a]}|unknown key 'column' in tensors.x.ops[1].fill; did you mean"
            + " 'columns'?",
        "fill: {value: 0, columns: []}|must not be empty: tensors.x.ops[1].fill.columns",
        "fill: 1e999|out of the range of float64: 1e999",
        "clip: {}|needs min or max: tensors.x.ops[1].clip",
        "clip: {min: a}|must be a number: tensors.x.ops[1].clip.min=\"a\"",
        "clip: {min: .nan}|must be a number: tensors.x.ops[1].clip.min=NaN",
        "clip: {min: 1, max: 0.5}|min must be <= max: tensors.x.ops[1].clip min=1 max=0.5",
        "log1p: [a]|must be a mapping: tensors.x.ops[1].log1p=a list",
        "standardize: {}|needs either mean and std, or file: tensors.x.ops[1].standardize",
        "standardize: {file: s, mean: {a: 1}}|needs either mean and std, or file:"
            + " tensors.x.ops[1].standardize",
        "standardize: {mean: {a: 1}}|missing: tensors.x.ops[1].standardize.std",
        "standardize: {mean: {a: 1}, std: {b: 1}}|mean and std must name the same columns: mean=[a]"
            + " std=[b]",
        "standardize: {mean: {a: 1}, std: {a: 0}}|std must not be 0: a=0",
        "standardize: {mean: {a: 1}, std: {a: -0.0}}|std must not be 0: a=-0.0",
        "standardize: {mean: {a: .inf}, std: {a: 1}}|must be finite:"
            + " tensors.x.ops[1].standardize.mean.a=Infinity",
        "standardize: {mean: {}, std: {a: 1}}|must not be empty:"
            + " tensors.x.ops[1].standardize.mean",
        "standardize: {file: s}|can't be read: tensors.x.ops[1].standardize.file=s: no such file",
        "bucketize: {}|missing: tensors.x.ops[1].bucketize.bounds",
        "bucketize: {bounds: []}|must not be empty: tensors.x.ops[1].bucketize.bounds",
        "bucketize: {bounds: [0, 1, 1]}|bounds must rise: tensors.x.ops[1].bucketize.bounds[2]=1"
            + " after 1",
        "bucketize: {bounds: [0, 1.0, 0.5]}|bounds must rise:"
            + " tensors.x.ops[1].bucketize.bounds[2]=0.5 after 1.0",
        "bucketize: {bounds: [9007199254740993, 9007199254740992.0]}|bounds must rise:"
            + " tensors.x.ops[1].bucketize.bounds[1]=9007199254740992.0 after 9007199254740993",
        "hash: {seed: 1}|missing: tensors.x.ops[1].hash.buckets",
        "hash: {buckets: 0}|must be a whole number >= 1 and < 2^63:"
            + " tensors.x.ops[1].hash.buckets=0",
        "hash: {buckets: 1, seed: -1}|must be a whole number >= 0 and < 2^64:"
            + " tensors.x.ops[1].hash.seed=-1",
        "vocabulary: {}|needs either file or values: tensors.x.ops[1].vocabulary",
        "vocabulary: {values: []}|must not be empty: tensors.x.ops[1].vocabulary.values",
        "vocabulary: {values: [a, b, a]}|a value is there twice:"
            + " tensors.x.ops[1].vocabulary.values[2]=\"a\"",
        "vocabulary: {values: [a, 1]}|must be all strings or all whole numbers:"
            + " tensors.x.ops[1].vocabulary.values[1]=1",
        "vocabulary: {values: [0.5]}|must be all strings or all whole numbers:"
            + " tensors.x.ops[1].vocabulary.values[0]=0.5",
        "vocabulary: {values: [a], unknown: 9223372036854775808}|must be a whole number of 64 bits:"
            + " tensors.x.ops[1].vocabulary.unknown=9223372036854775808",
        "vocabulary: {file: w}|can't be read: tensors.x.ops[1].vocabulary.file=w: no such file",
        "pad: {value: 0}|missing: tensors.x.ops[1].pad.length",
        "pad: {length: 0}|must be a whole number >= 1 and < 2^31: tensors.x.ops[1].pad.length=0",
        "pad: {length: []}|must not be empty: tensors.x.ops[1].pad.length",
        "pad: {length: [2, -1]}|must be a whole number >= 1 and < 2^31:"
            + " tensors.x.ops[1].pad.length=-1",
        "decode: jpeg|must be npy or {image: {height: .., width: .., channels: ..}}:"
            + " tensors.x.ops[1].decode=\"jpeg\"",
        "decode: {}|needs either image or npy: tensors.x.ops[1].decode",
        "decode: {image: {height: 1, width: 1}}|missing: tensors.x.ops[1].decode.image.channels",
        "decode: {image: {height: 1, width: 1, channels: 4}}|must be 1 or 3: tensors.x.ops[1].decode.image.channels=4",
        "decode: {image: {height: 1, width: 0, channels: 3}}|must be a whole number >= 1 and <"
            + " 2^31: tensors.x.ops[1].decode.image.width=0",
        "decode: {image: {height: 1, width: 1, channels: 3, resize: nearest}}|must be one of none,"
            + " bilinear: tensors.x.ops[1].decode.image.resize=\"nearest\"",
        "{class: a b}|must be the full name of a class: tensors.x.ops[1].class=a b",
        "{class: a.B, jar: j}|can't be read: tensors.x.ops[1].jar=j: no such file",
        "{class: a.B, args: [1]}|must be a mapping: tensors.x.ops[1].args=a list",
        "{class: a.B, arg: {}}|unknown key 'arg' in tensors.x.ops[1]; did you mean 'args'?"
      })
  void aWrongOpIsReportedWithItsLine(String op, String expected) {
    assertEquals(List.of("f.yaml:10: " + expected), errorsOfOp(op, new TestingFiles()));
  }

  @Test
  void allThatIsWrongWithAnOpIsReported() {
    assertEquals(
        List.of(
            "f.yaml:10: unknown key 'sead' in tensors.x.ops[1].hash; did you mean 'seed'?",
            "f.yaml:10: must be a whole number >= 1 and < 2^63: tensors.x.ops[1].hash.buckets=0",
            "f.yaml:10: must not be empty: tensors.x.ops[1].hash.columns"),
        errorsOfOp("hash: {buckets: 0, sead: 1, columns: []}", new TestingFiles()));
  }

  @Test
  void anErrorIsOneLineWhateverTheNamesInIt() {
    assertEquals(
        List.of("f.yaml:1: missing: tensors", "f.yaml:2: unknown key 'a\\u000ab'"),
        errors(
            "penstock: 1\n\"a\\nb\": 1\ndataset: {paths: [a]}\norder: {seed: 0, lanes: 1, batch: 1}"));
  }

  @Test
  void aByteOrderMarkAndWindowsLineEndsAreNoErrors() {
    String text =
        "penstock: 1\ndataset: {paths: [/a]}\norder: {seed: 0, lanes: 2, batch: 8}\n"
            + "tensors:\n  x: {column: a, dtype: float32}\n";
    Feed plain = FeedParser.parse(text, "f.yaml", new TestingFiles());
    Feed windows =
        FeedParser.parse("\ufeff" + text.replace("\n", "\r\n"), "f.yaml", new TestingFiles());
    assertEquals(plain.digest(), windows.digest());
    assertEquals(5, windows.tensors().get(0).line());
  }

  @Test
  void whateverTheTextTheOutcomeIsAFeedOrErrorsWithLines() throws IOException {
    List<String> seeds = new ArrayList<>();
    try (InputStream in = FeedErrorsTest.class.getResourceAsStream("feed-vectors.json")) {
      new ObjectMapper().readTree(in).forEach(vector -> seeds.add(vector.get("yaml").asText()));
    }
    String pieces = "{}[],:-#&*!|>'\"%@` \n\t?~<.0123456789eEabcxyz\\";
    Random random = new Random(20260101);
    int refused = 0;
    for (int i = 0; i < 3000; i++) {
      StringBuilder text = new StringBuilder(seeds.get(i % seeds.size()));
      for (int k = random.nextInt(4); k >= 0; k--) {
        int at = random.nextInt(text.length());
        char piece = pieces.charAt(random.nextInt(pieces.length()));
        switch (random.nextInt(4)) {
          case 0 -> text.deleteCharAt(at);
          case 1 -> text.insert(at, piece);
          case 2 -> text.setCharAt(at, piece);
          default -> text.insert(at, text.substring(at, Math.min(text.length(), at + 30)));
        }
      }
      try {
        FeedParser.parse(text.toString(), "f.yaml", new TestingFiles());
      } catch (UsageException e) {
        refused++;
        e.getMessage()
            .lines()
            .forEach(line -> assertTrue(line.matches("f\\.yaml:[0-9]+: .+"), line));
      }
    }
    assertTrue(refused > 1000 && refused < 3000, "refused " + refused);
  }

  @Test
  void whatNamedFilesGetWrongIsReported() {
    TestingFiles files =
        new TestingFiles()
            .with("twice", "a\nb\na\n")
            .with("empty", "")
            .with("latin1", new byte[] {(byte) 0xe9})
            .with("bad.json", "{\"columns\": ")
            .with("list.json", "[1]");
    String vocabulary = "f.yaml:10: %s: tensors.x.ops[1].vocabulary.file=%s";
    String statistics = "f.yaml:10: %s: tensors.x.ops[1].standardize.file=%s";
    assertEquals(
        List.of(vocabulary.formatted("a value is there twice", "twice, line 3: \"a\"")),
        errorsOfOp("vocabulary: {file: twice}", files));
    assertEquals(
        List.of(vocabulary.formatted("has no values", "empty")),
        errorsOfOp("vocabulary: {file: empty}", files));
    assertEquals(
        List.of(vocabulary.formatted("must be UTF-8 text", "latin1")),
        errorsOfOp("vocabulary: {file: latin1}", files));
    assertEquals(
        List.of(
            statistics.formatted(
                "must be a JSON object {\"columns\": {<column>: {\"mean\": .., \"std\": ..}}}",
                "list.json")),
        errorsOfOp("standardize: {file: list.json}", files));
    List<String> notJson = errorsOfOp("standardize: {file: bad.json}", files);
    assertEquals(1, notJson.size());
    assertTrue(
        notJson.get(0).startsWith(statistics.formatted("not JSON", "bad.json:1: not YAML: ")),
        notJson.get(0));
  }

  @Test
  void whatIsNoFeedAtAllIsReported() {
    assertEquals(List.of("f.yaml:1: the file is empty"), errors(""));
    assertEquals(List.of("f.yaml:1: the file is empty"), errors("# nothing\n"));
    assertEquals(List.of("f.yaml:1: must be a mapping: the file=a list"), errors("[1]"));
    assertEquals(List.of("f.yaml:1: must be a mapping: the file=\"PAR1\""), errors("PAR1"));
    assertEquals(
        List.of("f.yaml:3: must be one YAML document; a second one begins here"),
        errors("penstock: 1\nx: 1\n---\ny: 2\n"));
    assertEquals(
        List.of("f.yaml:2: tag 'tag:yaml.org,2002:int' does not fit: a"),
        errors("x: 1\ny: !!int a\n"));
    assertEquals(List.of("f.yaml:1: tag '!foo' is not allowed here"), errors("x: !foo 1"));
    assertEquals(
        List.of("f.yaml:1: a string must be Unicode text; it has half a surrogate pair"),
        errors("x: \"\\uD800\""));
  }

  @Test
  void whatIsNotYamlIsReportedWithItsLine() {
    assertNotYaml(2, "penstock: 1\n\tdataset: 1\n");
    assertNotYaml(2, "penstock: 1\n  x: - 1\n");
    assertNotYaml(2, "penstock: 1\nx: \u0001\n");
    assertNotYaml(2, "penstock: 1\nx: @y\n");
  }

  @Test
  void whatIsNotYamlNamesWhereItsSurroundingsBegan() {
    assertEquals(
        List.of(
            "f.yaml:4: not YAML: expected ',' or '}', but got : (while parsing a flow mapping that"
                + " begins in line 3)"),
        errors("penstock: 1\ndataset: {paths: [/a]}\norder: {seed: 0, lanes: 1\ntensors: 1\n"));
  }

  private static void assertNotYaml(int line, String text) {
    List<String> errors = errors(text);
    assertEquals(1, errors.size());
    String start = "f.yaml:" + line + ": not YAML: ";
    assertTrue(errors.get(0).startsWith(start), errors.get(0));
    assertTrue(errors.get(0).length() > start.length(), errors.get(0));
  }

  @Test
  void aliasesAreBounded() {
    assertEquals(
        List.of("f.yaml:1: alias '*a' stands for no value before it"), errors("x: &a [*a]"));
    assertEquals(List.of("f.yaml:1: alias '*b' stands for no value before it"), errors("x: *b"));
    StringBuilder laughs = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 20; i++) {
      String alias = "*a" + (i - 1);
      laughs.append("a" + i + ": &a" + i + " [" + (alias + " , ").repeat(9) + alias + "]\n");
    }
    assertEquals(
        List.of("f.yaml:7: more than 2000000 values, aliases resolved"), errors(laughs.toString()));
  }

  @Test
  void depthIsBounded() {
    assertEquals(
        List.of("f.yaml:1: nested deeper than 64 levels"),
        errors("x: " + "[".repeat(100_000) + "]".repeat(100_000)));
  }
}
