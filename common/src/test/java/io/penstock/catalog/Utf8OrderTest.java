package io.penstock.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class Utf8OrderTest {
  @Property(seed = "42")
  void isTheOrderOfTheBytes(@ForAll("texts") String a, @ForAll("texts") String b) {
    int expected =
        Arrays.compareUnsigned(
            a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    assertEquals(Integer.signum(expected), Integer.signum(Utf8Order.INSTANCE.compare(a, b)));
  }

  /** Few different code points, so that texts often begin alike. */
  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.of(0x2d, 0x2f, 0x61, 0xe9, 0xd7ff, 0xe000, 0xff5e, 0x10000, 0x1f600)
        .list()
        .ofMaxSize(4)
        .map(
            points ->
                points.stream()
                    .map(Character::toString)
                    .collect(java.util.stream.Collectors.joining()));
  }

  @Test
  void differsFromJavasOrderBeyondTheBasicPlane() {
    assertTrue("\ud83d\ude00".compareTo("\uff5e") < 0);
    assertTrue(Utf8Order.INSTANCE.compare("\ud83d\ude00", "\uff5e") > 0);
  }
}
