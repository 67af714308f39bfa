package io.penstock.cli.commands;

import static io.penstock.cli.TestingParquet.list;
import static io.penstock.cli.TestingParquet.nested;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.cli.Invocation;
import io.penstock.cli.NpyArray;
import io.penstock.cli.TestingParquet;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.imageio.ImageIO;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InitCommandTest {
  /** {@code numpy.savez_compressed(f, arr=numpy.array([0.5, -1.5], dtype='<f2'))}. */
  private static final byte[] NPZ =
      HexFormat.of()
          .parseHex(
              "504b03042d0000000800000021003ae1b2bfffffffffffffffff070014006172722e6e707901001000"
                  + "840000000000000048000000000000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a06e"
                  + "9366a4aea3a09e965f54529498179f5f94920a12774bcc294e058a17672416a402f91a463a9a"
                  + "3a0ab50a14002e060b867d00504b01022d032d0000000800000021003ae1b2bf48000000840000"
                  + "000700000000000000000000008001000000006172722e6e7079504b0506000000000100010035"
                  + "000000810000000000");

  @TempDir Path folder;

  /** What {@code numpy.save} writes, checked against it. */
  private static byte[] npy(String descr, String shape, byte[] data) {
    String dict = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }";
    String header = dict + " ".repeat(128 - 10 - 1 - dict.length()) + "\n";
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0});
    out.writeBytes(header.getBytes(StandardCharsets.ISO_8859_1));
    out.writeBytes(data);
    return out.toByteArray();
  }

  private static byte[] image(String format, int width, int height, int type) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      assertTrue(ImageIO.write(new BufferedImage(width, height, type), format, out));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private static Binary binary(byte[] bytes) {
    return Binary.fromConstantByteArray(bytes);
  }

  private static final String EVERY_TYPE =
      "optional double fare; required float distance_km; "
          + "required int32 price (DECIMAL(9,2)); required double huge; required boolean flag; "
          + "optional boolean ok; required int32 passengers; required int64 user_id; "
          + "required int64 driverId; required int64 u64 (INTEGER(64,false)); "
          + "optional binary city (STRING); "
          + "required fixed_len_byte_array(16) key16 (UUID); required int32 day (DATE); "
          + "required int64 at (TIMESTAMP(MILLIS,true)); required int32 clock (TIME(MILLIS,true)); "
          + list("embedding", "float element")
          + list("clicks", "int64 element")
          + list("tags", "binary element (STRING)")
          + "optional group grid (LIST) { repeated group list { optional group element (LIST) {"
          + " repeated group list { optional int64 element; } } } } "
          + "required binary npy; optional binary npz; required binary ragged; "
          + "required binary photo; optional binary scan; required binary blob; "
          + "optional group attributes (MAP) { repeated group key_value {"
          + " required binary key (STRING); optional int64 value; } } "
          + "optional group place { optional double lat; required binary name (STRING); } "
          + list("row", "int64 element")
          + list("été_1", "int64 element")
          + "required binary label (STRING); optional int32 target;";

  private static void everyType(Group row, int i) {
    if (i % 5 != 0) {
      row.append("fare", i / 4.0).append("ok", i % 2 == 0).append("city", "city " + i % 7);
      row.append("npz", binary(NPZ));
      row.append("scan", binary(image("jpeg", 12, 8, BufferedImage.TYPE_BYTE_GRAY)));
    }
    row.append("distance_km", i * 0.5f).append("price", i).append("huge", 1e300);
    row.append("flag", i % 3 == 0).append("passengers", i % 4).append("user_id", 1000L + i);
    row.append("driverId", (long) (i % 3)).append("u64", -1L - i);
    row.append("key16", binary(new byte[16])).append("day", 20_000 + i);
    row.append("at", 1_700_000_000_000L + i).append("clock", i);
    list(row, "embedding", i + 0f, i + 1f, i + 2f, i + 3f);
    if (i % 5 != 1) {
      Object[] clicks = new Object[i % 7];
      Arrays.fill(clicks, (long) i);
      list(row, "clicks", clicks);
    }
    list(row, "tags", "a" + i % 2, null, "c");
    nested(row, "grid", new long[] {1, 2, i}, new long[] {4, 5, 6});
    row.append(
        "npy",
        binary(npy(">u2", "(2, 3)", new byte[] {0, 0, 0, 1, 0, 2, 0, 3, 1, 4, 0, (byte) i})));
    row.append(
        "ragged",
        binary(i % 2 == 0 ? npy("|u1", "(1,)", new byte[1]) : npy("|u1", "(2,)", new byte[2])));
    row.append("photo", binary(image("png", i % 10 == 3 ? 9 : 7, 5, BufferedImage.TYPE_INT_RGB)));
    row.append("blob", binary(Arrays.copyOf(new byte[] {(byte) 0xff, (byte) 0xfe}, 2 + i)));
    Group place = row.addGroup("place");
    place.append("lat", -i * 1.0).append("name", "n" + i);
    list(row, "row", (long) i);
    list(row, "été_1", (long) i, 2L);
    row.append("label", i % 2 == 0 ? "yes" : "no: \"x\"");
    if (i % 50 != 7) {
      row.append("target", i);
    }
  }

  private String feed() {
    return folder.resolve("feed.yaml").toString();
  }

  private Invocation init(Path data) {
    return Invocation.of("init", data.toString(), "--out", feed(), "--json");
  }

  private void write(Path file, int rows) {
    TestingParquet.write(file, EVERY_TYPE, rows, 50, InitCommandTest::everyType);
  }

  private Map<String, String> tensors(Invocation peek) {
    Map<String, String> tensors = new TreeMap<>();
    for (JsonNode tensor : peek.json().get("tensors")) {
      tensors.put(
          tensor.get("name").textValue(),
          tensor.get("dtype").textValue() + " " + tensor.get("shape"));
    }
    return tensors;
  }

  @Test
  void aFeedOfEveryTypePassesPlanAndPeekAsWritten() throws IOException {
    write(folder.resolve("data/a.parquet"), 120);
    write(folder.resolve("data/b.parquet"), 80);
    Invocation init = init(folder.resolve("data"));
    assertEquals(0, init.code(), init.err());
    String text = Files.readString(Path.of(feed()));
    Invocation plan = Invocation.of("plan", "--feed", feed(), "--json");
    assertEquals(0, plan.code(), plan.err() + text);
    Invocation peek = Invocation.of("peek", "--feed", feed(), "--step", "0", "--json");
    assertEquals(0, peek.code(), peek.err() + text);

    Map<String, String> expected = new TreeMap<>();
    expected.put("features", "float32 [16,4]");
    expected.put("features_float64", "float64 [16,1]");
    expected.put("flags", "bool [16,2]");
    expected.put("numbers", "int64 [16,1]");
    expected.put("times", "int64 [16,3]");
    expected.put("ids", "int64 [16,6]");
    expected.put("embedding", "float32 [16,4]");
    expected.put("clicks", "int64 [16,6]");
    expected.put("tags", "int64 [16,3]");
    expected.put("grid", "int64 [16,2,3]");
    expected.put("npy", "int32 [16,2,3]");
    expected.put("npz", "float16 [16,2]");
    expected.put("npz_mask", "bool [16,2]");
    expected.put("photo", "uint8 [16,5,7,3]");
    expected.put("scan", "uint8 [16,8,12,1]");
    expected.put("scan_mask", "bool [16,8,12,1]");
    expected.put("attributes.key_value.key", "int64 [16,1]");
    expected.put("attributes.key_value.value", "int64 [16,1]");
    expected.put("row_2", "int64 [16,1]");
    expected.put("_t__1", "int64 [16,2]");
    expected.put("label", "int64 [16]");
    expected.put("target", "int64 [16]");
    assertEquals(expected, tensors(peek), text);

    JsonNode unused = init.json().get("not_used");
    assertEquals(4, unused.size(), unused.toString());
    assertTrue(unused.get("ragged").textValue().contains("|u1 [1] and |u1 [2]"));
    assertTrue(unused.get("blob").textValue().contains("no known format"));
    assertTrue(unused.get("attributes").textValue().startsWith("MAP"));
    assertTrue(unused.get("place").textValue().startsWith("STRUCT"));
    assertTrue(text.contains("#   ragged: "), text);
    assertTrue(text.contains("resize: bilinear"), text);
    assertTrue(text.contains("\"no: \\\"x\\\"\", \"yes\""), text);
  }

  @Test
  void theValuesArePetastormsArraysAndTheLabelsPlace() throws IOException {
    write(folder.resolve("data.parquet"), 3);
    assertEquals(0, init(folder.resolve("data.parquet")).code());
    String text = Files.readString(Path.of(feed()));
    Files.writeString(Path.of(feed()), text.replace("batch: 1 ", "batch: 3\n  shuffle: none "));
    Path out = folder.resolve("out");
    Invocation peek =
        Invocation.of("peek", "--feed", feed(), "--step", "0", "--out", out.toString());
    assertEquals(0, peek.code(), peek.err() + text);
    assertArrayEquals(
        new int[] {0, 1, 2, 3, 260, 0, 0, 1, 2, 3, 260, 1, 0, 1, 2, 3, 260, 2},
        NpyArray.read(out.resolve("npy.npy")).ints());
    // float16 of 0.5 and -1.5; a null first.
    assertArrayEquals(
        new byte[] {0, 0, 0, 0, 0, 0x38, 0, (byte) 0xbe, 0, 0x38, 0, (byte) 0xbe},
        NpyArray.read(out.resolve("npz.npy")).bytes());
    assertArrayEquals(
        new byte[] {0, 0, 1, 1, 1, 1}, NpyArray.read(out.resolve("npz_mask.npy")).bytes());
    assertArrayEquals(new long[] {2, 1, 2}, NpyArray.read(out.resolve("label.npy")).longs());
    // fare, distance_km, price, place.lat
    assertArrayEquals(
        new float[] {0, 0, 0, 0, 0.25f, 0.5f, 0.01f, -1, 0.5f, 1, 0.02f, -2},
        NpyArray.read(out.resolve("features.npy")).floats());
  }

  @Test
  void oneRowIsEnough() {
    write(folder.resolve("one.parquet"), 1);
    assertEquals(0, init(folder.resolve("one.parquet")).code());
    assertEquals(0, Invocation.of("plan", "--feed", feed()).code());
    Invocation peek = Invocation.of("peek", "--feed", feed(), "--step", "0");
    assertEquals(0, peek.code(), peek.err());
  }

  @Test
  void hiveFoldersAndColumnsThatOnlySomeFilesHave() throws IOException {
    String both = "required double x; required int32 later;";
    TestingParquet.write(
        folder.resolve("d/day=7/kind=a b/f.parquet"),
        both + "required double kind2;",
        9,
        9,
        (row, i) -> row.append("x", 1.0 * i).append("later", i).append("kind2", 0.5));
    TestingParquet.write(
        folder.resolve("d/day=-8/kind=__HIVE_DEFAULT_PARTITION__/f.parquet"),
        "required double x; required float later;",
        9,
        9,
        (row, i) -> row.append("x", 1.0 * i).append("later", 1f * i));
    Invocation init = init(folder.resolve("d"));
    assertEquals(0, init.code(), init.err());
    String text = Files.readString(Path.of(feed()));
    assertTrue(text.contains("partition_types: {day: int64}"), text);
    Invocation peek = Invocation.of("peek", "--feed", feed(), "--step", "0", "--json");
    assertEquals(0, peek.code(), peek.err() + text);
    Map<String, String> expected =
        Map.of("features", "float32 [2,1]", "numbers", "int64 [2,1]", "ids", "int64 [2,1]");
    assertEquals(new TreeMap<>(expected), tensors(peek), text);
    assertEquals(2, init.json().get("not_used").size(), text);
  }

  @Test
  void aColumnThatCanNotBeDecodedIsLeftOut() throws IOException {
    Path file =
        TestingParquet.write(
            folder.resolve("broken.parquet"),
            "required binary city (STRING); required double x;",
            4,
            4,
            (row, i) -> row.append("city", "Reykjavik" + i).append("x", 1.0));
    byte[] bytes = Files.readAllBytes(file);
    int page = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("Reykjavik0");
    bytes[page - 1] = 100;
    Files.write(file, bytes);
    Invocation init = init(file);
    assertEquals(0, init.code(), init.err());
    assertTrue(init.json().get("not_used").has("city"), init.out());
    assertEquals(0, Invocation.of("peek", "--feed", feed(), "--step", "0").code());
  }

  @Test
  void namesThatAreNoPlainYamlAreQuoted() throws IOException {
    List<String> names = List.of("a#b:[c]{d},'*?é \"", "true", "12", "*", " ", "x\ny", "null");
    Types.MessageTypeBuilder schema = Types.buildMessage();
    names.forEach(name -> schema.required(PrimitiveTypeName.DOUBLE).named(name));
    TestingParquet.write(
        folder.resolve("odd name.parquet"),
        schema.named("m"),
        4,
        4,
        (row, i) -> names.forEach(name -> row.append(name, 1.0)));
    Invocation init = init(folder.resolve("odd name.parquet"));
    assertEquals(0, init.code(), init.err());
    Invocation peek = Invocation.of("peek", "--feed", feed(), "--step", "0", "--json");
    assertEquals(0, peek.code(), peek.err() + Files.readString(Path.of(feed())));
    assertEquals(Map.of("features", "float32 [1,7]"), tensors(peek));
  }

  @Test
  void aFeedThatIsThereIsNotOverwrittenUnlessForced() throws IOException {
    write(folder.resolve("data.parquet"), 1);
    Files.writeString(Path.of(feed()), "mine");
    Invocation refused = init(folder.resolve("data.parquet"));
    assertEquals(2, refused.code());
    assertTrue(refused.err().contains("--force overwrites it"), refused.err());
    assertEquals("mine", Files.readString(Path.of(feed())));
    String data = folder.resolve("data.parquet").toString();
    assertEquals(0, Invocation.of("init", data, "--out", feed(), "--force").code());
    assertTrue(Files.readString(Path.of(feed())).contains("penstock: 1"));
  }

  @Test
  void whatHoldsNothingToTrainOnIsRefused() {
    Path data =
        TestingParquet.write(
            folder.resolve("blob.parquet"),
            "required binary blob;",
            2,
            2,
            (row, i) -> row.append("blob", binary(Arrays.copyOf(new byte[] {-1}, 2 + i))));
    Invocation refused = init(data);
    assertEquals(2, refused.code());
    assertTrue(refused.err().contains("no column can be used: blob: bytes of no"), refused.err());
    assertEquals(2, init(folder.resolve("nowhere")).code());
    assertTrue(Files.notExists(Path.of(feed())));
  }
}
