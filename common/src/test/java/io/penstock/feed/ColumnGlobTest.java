package io.penstock.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ColumnGlobTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "dist_* dist_ true",
        "dist_* dist_a.b true",
        "dist_* xdist_a false",
        "* anything true",
        "f? f1 true",
        "f? f12 false",
        "f? f😀 true",
        "f[0-3] f2 true",
        "f[0-3] f4 false",
        "f[!0-3] f4 true",
        "f[!0-3] f2 false",
        "f[]x] f] true",
        "f[a-] f- true",
        "{a,b*}_x a_x true",
        "{a,b*}_x bcd_x true",
        "{a,b*}_x c_x false",
        "a\\* a* true",
        "a\\* ab false",
        "a.b axb false",
        "a,b} a,b} true",
        "país_* país_1 true"
      })
  void aGlobMatchesWholeNames(String glob, String name, boolean matches) {
    assertTrue(glob.equals("a.b") || glob.equals("a,b}") || ColumnGlob.isGlob(glob));
    assertEquals(matches, ColumnGlob.of(glob).matches(name));
  }

  @Test
  void whatIsNotClosedIsRefused() {
    assertEquals(
        "'[' is not closed in glob 'a[b'",
        assertThrows(IllegalArgumentException.class, () -> ColumnGlob.of("a[b")).getMessage());
    assertEquals(
        "'{' is not closed in glob 'a{b'",
        assertThrows(IllegalArgumentException.class, () -> ColumnGlob.of("a{b")).getMessage());
    assertEquals(
        "nothing follows '\\' in glob 'a\\'",
        assertThrows(IllegalArgumentException.class, () -> ColumnGlob.of("a\\")).getMessage());
    assertEquals(
        "a range runs backwards in glob '[z-a]'",
        assertThrows(IllegalArgumentException.class, () -> ColumnGlob.of("[z-a]")).getMessage());
  }
}
