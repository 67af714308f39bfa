package io.penstock.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JavaFinderTest {
  @TempDir Path folder;

  /** A Java home whose {@code java} says that it is of some version. */
  private String java(String name, String version) throws IOException {
    Path home = folder.resolve(name);
    Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\necho 'openjdk version \"" + version + "\"' >&2\n");
    assertTrue(java.toFile().setExecutable(true));
    return home.toString();
  }

  /** A Java home that says its version in a file; its {@code java} would fail. */
  private String javaWithRelease(String name, String version) throws IOException {
    Path home = folder.resolve(name);
    Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\nexit 1\n");
    assertTrue(java.toFile().setExecutable(true));
    Files.writeString(home.resolve("release"), "A=b\nJAVA_VERSION=\"" + version + "\"\n");
    return home.toString();
  }

  private static String found(
      Map<String, String> environment, String configuration, String... arguments) {
    return new JavaFinder(environment, configuration).find(List.of(arguments)).getPath();
  }

  @Test
  void penstocksOwnVariableComesBeforeJavaHomeAndThePath() throws IOException {
    String first = java("first", "17.0.9");
    Map<String, String> environment =
        Map.of(
            "PENSTOCK_JAVA_HOME",
            first,
            "JAVA_HOME",
            java("second", "21"),
            "PATH",
            java("third", "25") + "/bin");
    assertEquals(first + "/bin/java", found(environment, null));
  }

  @Test
  void theSettingComesFirstHoweverItIsGiven() throws IOException {
    Map<String, String> environment = Map.of("PENSTOCK_JAVA_HOME", java("other", "21"));
    String home = javaWithRelease("home", "17.0.1");
    assertEquals(
        home + "/bin/java", found(environment, null, "plan", "-Dpenstock.java.home=" + home));
    assertEquals(
        home + "/bin/java", found(environment, null, "-D", "penstock.java.home=" + home, "plan"));
    Files.writeString(
        folder.resolve("penstock-site.xml"),
        "<configuration><property><name>penstock.java.home</name><value>"
            + home
            + "</value></property></configuration>");
    assertEquals(home + "/bin/java", found(environment, folder.toString(), "plan"));
  }

  @Test
  void onesThatAreTooOldArePassedOver() throws IOException {
    String path =
        java("eight", "1.8.0_392")
            + "/bin:"
            + java("eleven", "11.0.2")
            + "/bin:"
            + java("new", "22-ea")
            + "/bin";
    assertEquals(
        folder + "/new/bin/java",
        found(Map.of("JAVA_HOME", javaWithRelease("home", "16"), "PATH", path), null));
  }

  @Test
  void withNoneItSaysWhatItLookedAt() throws IOException {
    Map<String, String> environment =
        Map.of(
            "PENSTOCK_JAVA_HOME", folder + "/none",
            "JAVA_HOME", java("eight", "1.8.0_392"),
            "PATH", java("eleven", "11.0.2") + "/bin");
    LaunchException none =
        assertThrows(LaunchException.class, () -> found(environment, null, "plan"));
    assertEquals(
        "needs Java 17 or later; set penstock.java.home, PENSTOCK_JAVA_HOME, JAVA_HOME or PATH."
            + " Looked at: PENSTOCK_JAVA_HOME: there is no "
            + folder
            + "/none/bin/java; JAVA_HOME: "
            + folder
            + "/eight/bin/java is 8; PATH: "
            + folder
            + "/eleven/bin/java is 11",
        none.getMessage());
  }

  @Test
  void oneThatDoesNotTellItsVersionIsRefused() throws IOException {
    Path home = folder.resolve("mute");
    Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\nexit 0\n");
    assertTrue(java.toFile().setExecutable(true));
    LaunchException none =
        assertThrows(
            LaunchException.class,
            () -> found(Map.of("JAVA_HOME", home.toString(), "PATH", ""), null));
    assertTrue(none.getMessage().contains("does not tell its version"), none.getMessage());
  }
}
