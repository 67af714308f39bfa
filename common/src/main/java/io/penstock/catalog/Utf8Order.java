package io.penstock.catalog;

import java.util.Comparator;

/**
 * The order of strings by their UTF-8 bytes, which is that of their code points. Java's own
 * differs: it puts U+FF5E after U+1F600, whose surrogates are smaller.
 */
final class Utf8Order implements Comparator<String> {
  static final Utf8Order INSTANCE = new Utf8Order();

  private Utf8Order() {}

  @Override
  public int compare(String a, String b) {
    int shorter = Math.min(a.length(), b.length());
    for (int i = 0; i < shorter; i++) {
      char c = a.charAt(i);
      char d = b.charAt(i);
      if (c != d) {
        return rank(c) - rank(d);
      }
    }
    return a.length() - b.length();
  }

  /** Surrogates stand for code points above all others. */
  private static int rank(char c) {
    return Character.isSurrogate(c) ? c + 0x10000 : c;
  }
}
