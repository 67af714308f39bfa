package io.penstock.catalog;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256, which every JDK has. */
final class Sha256 {
  private Sha256() {}

  static MessageDigest start() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  static String hex(byte[] bytes) {
    return hex(start(), bytes);
  }

  static String hex(MessageDigest digest) {
    return hex(digest, new byte[0]);
  }

  private static String hex(MessageDigest digest, byte[] last) {
    return HexFormat.of().formatHex(digest.digest(last));
  }
}
