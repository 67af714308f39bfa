package io.penstock.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.model.UsageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GlobTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "*.crc | a.crc | true",
        "*.crc | a.crcx | false",
        "a*b | a/b | false",
        "a?b | a/b | false",
        "a?b | axb | true",
        "a**b | a/x/b | true",
        "x[a-c] | xb | true",
        "x[!a-c] | xb | false",
        "x[!a-c] | xd | true",
        "x[]] | x] | true",
        "{a,b*} | bcd | true",
        "{a,b*} | c | false",
        "a,b | a,b | true",
        "a}b | a}b | true",
        "\\* | * | true",
        "\\* | a | false",
        "a.b | axb | false",
        "a+(b)$ | a+(b)$ | true",
        "?\uff5e | \ud83d\ude00\uff5e | true",
        "[\ud83d\ude00] | \ud83d\ude00 | true",
        "\ud83d\ude00 | \ud83d\ude00 | true",
      })
  void matchesAsTheFeedPageSays(String glob, String text, boolean matches) {
    assertEquals(matches, new Glob(glob).matches(text));
  }

  @Test
  void oneThatCannotBeReadIsRefused() {
    assertEquals(
        "must be a glob: dataset.exclude={a",
        assertThrows(UsageException.class, () -> new Glob("{a")).getMessage());
  }
}
