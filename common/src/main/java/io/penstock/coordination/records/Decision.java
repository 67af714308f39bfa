package io.penstock.coordination.records;

import java.util.Objects;

/**
 * Something that was decided for all ranks: node {@code decisions/<n>}.
 *
 * @param n 1, 2, ...
 * @param kind a word: {@code started}, {@code restart}, {@code ranks}, {@code quarantine}, ...
 * @param detail one line for people, shortened to 4,000 characters
 */
public record Decision(long n, long timeMillis, String kind, String detail) {
  private static final int DETAIL = 4000;

  public Decision {
    Objects.requireNonNull(kind, "kind");
    detail = Shortened.to(DETAIL, detail);
  }
}
