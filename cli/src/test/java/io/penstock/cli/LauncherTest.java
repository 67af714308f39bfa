package io.penstock.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher as {@code yarn jar} runs it, with libraries of an old cluster first. */
class LauncherTest {
  private static final String JAVA = System.getProperty("java.home") + "/bin/java";

  @TempDir static Path home;
  @TempDir Path folder;

  @BeforeAll
  static void makeDistribution() throws IOException {
    TestingDistribution.make(home);
  }

  private record Ended(int code, String out, String err) {}

  private static String oldLibraries() throws IOException {
    try (Stream<Path> jars = Files.list(Path.of("target/old-libraries"))) {
      List<String> paths = jars.map(jar -> jar.toAbsolutePath().toString()).sorted().toList();
      assertEquals(3, paths.size(), paths.toString());
      return String.join(File.pathSeparator, paths);
    }
  }

  private Ended launch(String classPath, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(classPath + File.pathSeparator + home.resolve("penstock.jar"));
    command.add("io.penstock.launcher.Launcher");
    command.addAll(List.of(arguments));
    return run(environment, command);
  }

  private Ended run(Map<String, String> environment, List<String> classPathAndMain)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(JAVA, "-Xmx64m", "-cp"));
    command.addAll(classPathAndMain);
    File out = folder.resolve("out").toFile();
    File err = folder.resolve("err").toFile();
    ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(out).redirectError(err);
    builder.environment().remove("HADOOP_CONF_DIR");
    builder.environment().remove("PENSTOCK_JAVA_HOME");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("PENSTOCK_CHILD_OPTS", "-Xmx64m -XX:TieredStopAtLevel=1");
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), "the launcher ends");
    } finally {
      process.destroyForcibly();
    }
    return new Ended(
        process.exitValue(), Files.readString(out.toPath()), Files.readString(err.toPath()));
  }

  /** The expected rows are the dataset's own: with shuffle none they come as they lie. */
  @Test
  void itRunsWithAnOldCuratorZooKeeperAndGuavaFirstOnTheClassPath() throws Exception {
    Ended plan =
        launch(
            oldLibraries(),
            Map.of(),
            "plan",
            "--row-groups=3,5",
            "--seed=1",
            "--lanes=1",
            "--batch=4",
            "--shuffle=none",
            "--json");
    assertEquals("", plan.err());
    assertEquals(0, plan.code());
    String last =
        new ObjectMapper().readTree(plan.out()).get("epochs").get(0).get("last_rows").toString();
    assertEquals("[4,5,6,7]", last);
  }

  /** As {@code yarn jar} does it, which unpacks the jar elsewhere. */
  @Test
  void hadoopsRunJarRunsIt() throws Exception {
    String hadoop =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> entry.matches(".*/(hadoop-client-|slf4j-|reload4j-|commons-).*"))
            .collect(Collectors.joining(File.pathSeparator));
    String jar = home.resolve("penstock.jar").toString();
    Ended version =
        run(
            Map.of(),
            List.of(
                oldLibraries() + File.pathSeparator + hadoop,
                "org.apache.hadoop.util.RunJar",
                jar,
                "--version"));
    assertEquals(0, version.code(), version.err());
    assertTrue(version.out().startsWith("penstock "), version.out());
  }

  @Test
  void theExitCodeIsTheCommands() throws Exception {
    Ended wrong = launch(oldLibraries(), Map.of(), "plan", "--row-groups=x");
    assertEquals(2, wrong.code());
    assertTrue(wrong.err().contains("--row-groups=x"), wrong.err());
  }

  @Test
  void theClustersConfigurationIsThatOfItsOwnClassPath() throws Exception {
    Files.writeString(folder.resolve("core-site.xml"), "<configuration/>");
    Files.writeString(
        folder.resolve("penstock-site.xml"),
        "<configuration><property><name>penstock.fetch.thread</name><value>1</value></property>"
            + "</configuration>");
    Files.writeString(folder.resolve("log4j.properties"), "log4j.rootLogger=OFF, nothing");
    Ended wrong = launch(folder + File.pathSeparator + oldLibraries(), Map.of(), "jobs");
    assertEquals(2, wrong.code());
    assertEquals(
        List.of("penstock: unknown setting 'penstock.fetch.thread'"),
        wrong.err().lines().map(line -> line.replaceFirst(" \\(.*", "")).toList());
  }

  @Test
  void withoutAJavaThatIsNewEnoughItSaysWhatItLookedAt() throws Exception {
    Ended none =
        launch(
            oldLibraries(),
            Map.of("JAVA_HOME", folder + "/no-java", "PATH", folder.toString()),
            "plan");
    assertEquals(2, none.code());
    assertTrue(none.err().startsWith("penstock: needs Java 17 or later; set "), none.err());
    assertTrue(
        none.err().contains("JAVA_HOME: there is no " + folder + "/no-java/bin/java"), none.err());
  }

  @Test
  void anotherMainCanBeNamed() throws Exception {
    Ended none = launch(oldLibraries(), Map.of(), "--penstock-main");
    assertEquals(2, none.code());
    String errors = none.err().lines().collect(Collectors.joining());
    assertEquals("penstock: --penstock-main needs the name of a class", errors);
  }
}
