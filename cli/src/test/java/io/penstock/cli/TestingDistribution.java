package io.penstock.cli;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A distribution made of this build's classes and the class path of these tests. */
public final class TestingDistribution {
  private TestingDistribution() {}

  /** Makes it in an empty folder. */
  public static void make(Path home) throws IOException {
    Path lib = Files.createDirectories(home.resolve("lib"));
    Path conf = Files.createDirectories(home.resolve("conf"));
    Files.copy(Path.of("../conf/log4j.properties"), conf.resolve("log4j.properties"));
    Path launcher = location(io.penstock.launcher.Launcher.class);
    Path jar = home.resolve("penstock.jar");
    if (Files.isRegularFile(launcher)) {
      // A link would be followed to where the jar was built, where no lib/ lies.
      Files.copy(launcher, jar);
    } else {
      jar(launcher, jar, "Main-Class: io.penstock.launcher.Launcher\n");
    }
    int number = 0;
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path path = Path.of(entry);
      if (path.equals(launcher) || path.endsWith("test-classes") || !Files.exists(path)) {
        continue;
      }
      jar(path, lib.resolve(number++ + "-" + path.getFileName() + ".jar"), "");
    }
  }

  private static Path location(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void jar(Path classes, Path jar, String manifest) throws IOException {
    if (Files.isRegularFile(classes)) {
      Files.createSymbolicLink(jar, classes);
      return;
    }
    try (OutputStream file = Files.newOutputStream(jar);
        ZipOutputStream zip = new ZipOutputStream(file);
        Stream<Path> all = Files.walk(classes)) {
      zip.putNextEntry(new ZipEntry("META-INF/MANIFEST.MF"));
      zip.write(("Manifest-Version: 1.0\n" + manifest).getBytes(StandardCharsets.UTF_8));
      zip.closeEntry();
      for (Path path : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
        zip.putNextEntry(new ZipEntry(classes.relativize(path).toString()));
        Files.copy(path, zip);
        zip.closeEntry();
      }
    }
  }
}
