package io.penstock.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expected values were printed by CPython 3.11's {@code json.dumps}. */
class CanonicalJsonTest {
  @ParameterizedTest
  @CsvSource({
    "0x1.999999999999ap-4, 0.1",
    "0x1.0p+0, 1.0",
    "-0x0.0p+0, -0.0",
    "0x0.0p+0, 0.0",
    "0x1.ad7f29abcaf48p-24, 1e-07",
    "0x1.52d02c7e14af6p+77, 2e+23",
    "0x1.1c37937e08000p+53, 1e+16",
    "0x1.1c37937e07fffp+53, 9999999999999998.0",
    "0x1.b69b4ba630f35p+56, 1.2345678901234568e+17",
    "0x1.a36e2eb1c432dp-14, 0.0001",
    "0x1.4f8b588e368f1p-17, 1e-05",
    "0x1.02e4b6ce5dc68p-13, 0.00012345",
    "0x1.0f0cf064dd592p+73, 1e+22",
    "0x1.52d02c7e14af6p+76, 1e+23",
    "0x0.0000000000001p-1022, 5e-324",
    "0x1.0p-1022, 2.2250738585072014e-308",
    "0x1.fffffffffffffp+1023, 1.7976931348623157e+308",
    "0x1.3333333333334p-2, 0.30000000000000004",
    "0x1.5555555555555p-2, 0.3333333333333333",
    "0x1.9p+6, 100.0",
    "0x1.c6bf526340000p+49, 1000000000000000.0",
    "0x1.e240c9fbe76c9p+16, 123456.789",
    "-0x1.49da7e361ce4cp-33, -1.5e-10",
    "0x1.0p+53, 9007199254740992.0",
    "0x1.0p-44, 5.684341886080802e-14",
    "0x1.1666666666666p+2, 4.35",
    "0x1.c7e83209e90b2p+72, 8.41e+21",
    "0x1.0p+70, 1.1805916207174113e+21"
  })
  void floatsArePrintedAsPythonPrintsThem(String hex, String expected) {
    assertEquals(expected, CanonicalJson.write(Double.parseDouble(hex)));
  }

  @Test
  void everyPowerOfTwoIsPrintedAsPythonPrintsIt() {
    List<String> texts = new ArrayList<>();
    for (int k = -1074; k < 1024; k++) {
      texts.add(CanonicalJson.write(Math.scalb(1.0, k)));
    }
    assertEquals("a808b634668c792b03aeb662cf8fb6f77d1c07cb0c601710c9c1f2dc43ccc994", sha256(texts));
  }

  @Test
  void twentyThousandRandomBitPatternsArePrintedAsPythonPrintsThem() {
    List<String> texts = new ArrayList<>();
    for (long x = next(42); texts.size() < 20000; x = next(x)) {
      double value = Double.longBitsToDouble(x);
      if (Double.isFinite(value)) {
        texts.add(CanonicalJson.write(value));
      }
    }
    assertEquals("d7f1381fda1a28e41e44bfa3bc0bc6144ffcb27468af91633c8b5af0438bab41", sha256(texts));
  }

  @Test
  void twentyThousandNumbersOfThreeDigitsArePrintedAsPythonPrintsThem() {
    List<String> texts = new ArrayList<>();
    for (long x = next(7); texts.size() < 20000; x = next(x)) {
      texts.add(CanonicalJson.write((x >>> 40) / 1000.0));
    }
    assertEquals("e49ee0db57eb63728db20d59f2b7e6ffb0872b94511174e7318de6e89d61c766", sha256(texts));
  }

  private static long next(long x) {
    return x * 6364136223846793005L + 1442695040888963407L;
  }

  private static String sha256(List<String> lines) {
    return Sha256.hex(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void stringsAreEscapedAsPythonEscapesThem() {
    assertEquals("\"\"", CanonicalJson.write(""));
    assertEquals("\"a\\\"b\"", CanonicalJson.write("a\"b"));
    assertEquals("\"\\\\\"", CanonicalJson.write("\\"));
    assertEquals("\"\\n\\t\\r\\b\\f\"", CanonicalJson.write("\n\t\r\b\f"));
    assertEquals("\"\\u0000\\u0001\\u001f\177\"", CanonicalJson.write("\0\1\37\177"));
    assertEquals("\"\u2028\u00e9\"", CanonicalJson.write("\u2028\u00e9"));
    assertEquals("\"\ud83d\ude00\"", CanonicalJson.write("\ud83d\ude00"));
    assertEquals("\"</x>\"", CanonicalJson.write("</x>"));
    assertEquals("\"\u0085\ufeff\"", CanonicalJson.write("\u0085\ufeff"));
  }

  @Test
  void keysAreSortedByCodePoint() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("\ud800\udc00", 2);
    map.put("\uffff", 1);
    map.put("a", 3);
    map.put("Z", 4);
    map.put("", 5);
    map.put("aa", 6);
    assertEquals(
        "{\"\":5,\"Z\":4,\"a\":3,\"aa\":6,\"\uffff\":1,\"\ud800\udc00\":2}",
        CanonicalJson.write(map));
  }

  @Test
  void listsNullsBooleansAndBigNumbersArePrintedAsPythonPrintsThem() {
    assertEquals(
        "[NaN,Infinity,-Infinity,1267650600228229401496703205376,true,null,[],{}]",
        CanonicalJson.write(
            Arrays.asList(
                Double.NaN,
                Double.POSITIVE_INFINITY,
                Double.NEGATIVE_INFINITY,
                BigInteger.TWO.pow(100),
                true,
                null,
                List.of(),
                Map.of())));
  }
}
