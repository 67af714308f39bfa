package io.penstock.cli.submit;

import io.penstock.cli.console.Version;
import io.penstock.model.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * What containers run: {@code penstock.jar}, {@code lib/} and {@code conf/} of the folder that this
 * command runs from, as one archive. The same files give the same archive and the same name.
 *
 * @param home that folder
 * @param files relative paths, sorted
 * @param digest SHA-256 of names and contents, 64 hex digits
 */
record Distribution(Path home, List<String> files, String digest) {
  /** Path of the jar inside the archive. */
  static final String JAR = "penstock.jar";

  private static final int DIGEST_SHOWN = 16;

  Distribution {
    files = List.copyOf(files);
  }

  /**
   * Looks at the folder.
   *
   * @throws UsageException if it is no distribution
   */
  static Distribution of(Path home) throws IOException {
    if (!Files.isRegularFile(home.resolve(JAR)) || !Files.isDirectory(home.resolve("lib"))) {
      throw new UsageException("must hold " + JAR + " and lib/: penstock.home=" + home);
    }
    List<String> files = new ArrayList<>(List.of(JAR));
    for (String folder : List.of("lib", "conf")) {
      if (Files.isDirectory(home.resolve(folder))) {
        try (Stream<Path> entries = Files.list(home.resolve(folder))) {
          entries
              .filter(Files::isRegularFile)
              .map(file -> folder + "/" + file.getFileName())
              .sorted()
              .forEach(files::add);
        }
      }
    }
    return new Distribution(home, files, digest(home, files));
  }

  private static String digest(Path home, List<String> files) throws IOException {
    MessageDigest sha = sha256();
    try (OutputStream out = new DigestOutputStream(OutputStream.nullOutputStream(), sha)) {
      for (String file : files) {
        Path path = home.resolve(file);
        out.write((file + "\n" + Files.size(path) + "\n").getBytes(StandardCharsets.UTF_8));
        try (InputStream in = Files.newInputStream(path)) {
          in.transferTo(out);
        }
      }
    }
    return HexFormat.of().formatHex(sha.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The archive's file name. */
  String archiveName() {
    return "penstock-" + Version.current() + "-" + digest.substring(0, DIGEST_SHOWN) + ".zip";
  }

  /** Writes the archive; the stream stays open. Jars are compressed already, so it is not. */
  void write(OutputStream out) throws IOException {
    ZipOutputStream zip = new ZipOutputStream(out, StandardCharsets.UTF_8);
    zip.setLevel(Deflater.NO_COMPRESSION);
    for (String file : files) {
      ZipEntry entry = new ZipEntry(file);
      entry.setTime(0);
      zip.putNextEntry(entry);
      try (InputStream in = Files.newInputStream(home.resolve(file))) {
        in.transferTo(zip);
      }
      zip.closeEntry();
    }
    zip.finish();
  }
}
