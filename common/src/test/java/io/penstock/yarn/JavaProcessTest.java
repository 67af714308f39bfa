package io.penstock.yarn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.model.RankRange;
import io.penstock.model.UsageException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JavaProcessTest {
  private static final RankIdentity RANK =
      new RankIdentity(
          "application_1_0001", "container_1", "h", "train", 3, 2, 7, 4, 2048L * 1024 * 1024);

  @Test
  void theLaunchLineHasNothingThatAUserWrote() {
    JavaProcess process = process(List.of("-Dx=y"), Optional.empty());
    assertEquals(
        List.of(
            "exec {{JAVA_HOME}}/bin/java -Xmx32m -XX:+UseSerialGC -XX:TieredStopAtLevel=1"
                + " -cp penstock/penstock-0.1.0/penstock.jar io.penstock.launcher.Launcher"
                + " --penstock-main io.penstock.container.Main"
                + " 1><LOG_DIR>/stdout 2><LOG_DIR>/stderr"),
        process.command());
    assertEquals(
        "-Xmx1433m -Dpenstock.log.level=INFO -Dpenstock.log.target=System.out -Dx=y",
        process.variables().get("PENSTOCK_CHILD_OPTS"));
    assertFalse(process.variables().containsKey("PENSTOCK_JAVA_HOME"));
  }

  @Test
  void aJavaHomeGoesByTheEnvironment() {
    JavaProcess process = process(List.of(), Optional.of("/opt/jdk-17"));
    assertTrue(process.command().get(0).startsWith("exec {{PENSTOCK_JAVA_HOME}}/bin/java "));
    assertEquals("/opt/jdk-17", process.variables().get("PENSTOCK_JAVA_HOME"));
  }

  @Test
  void whatTheShellWouldChangeIsRefused() {
    for (String option : List.of("-Da=$HOME", "-Da=`x`", "-Da=\"b\"", "-Da=b\\c", "-Da=b\nc")) {
      UsageException error =
          assertThrows(
              UsageException.class, () -> process(List.of(option), Optional.empty()).variables());
      assertTrue(error.getMessage().contains("PENSTOCK_CHILD_OPTS="), error.getMessage());
    }
  }

  @Test
  void aRanksIdentityGoesByTheEnvironment() {
    Map<String, String> environment = RANK.toEnvironment();
    assertEquals("2048", environment.get("PENSTOCK_MEMORY_MB"));
    assertEquals("7", environment.get("PENSTOCK_FENCE"));
    assertEquals(RANK, RankIdentity.of(environment));
  }

  @Test
  void aVariableThatIsMissingOrNoNumberIsNamed() {
    Map<String, String> environment = new HashMap<>(RANK.toEnvironment());
    environment.put("PENSTOCK_RANK", "three");
    assertEquals(
        "must be a number: PENSTOCK_RANK=three",
        assertThrows(IllegalStateException.class, () -> RankIdentity.of(environment)).getMessage());
    environment.remove("PENSTOCK_FEED");
    assertEquals(
        "must be set, as the ApplicationMaster does: PENSTOCK_FEED",
        assertThrows(IllegalStateException.class, () -> RankIdentity.of(environment)).getMessage());
  }

  @Test
  void aRequestIsReadBackAsItWasWritten() throws IOException {
    JobRequest request =
        new JobRequest(
            "application_1_0001",
            "rides \"$x\"",
            "ann",
            "default",
            5,
            "0.1.0",
            "hdfs://n/staging",
            "hdfs://n/penstock.tar.gz",
            "penstock-0.1.0/penstock.jar",
            Map.of("train", new RankRange(2, 4), "valid", RankRange.of(1)));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    request.write(out);
    assertEquals(request, JobRequest.read(new ByteArrayInputStream(out.toByteArray())));
  }

  @Test
  void filesThatAFeedNamesAreFoundByThePathAsWritten(@TempDir Path folder) throws IOException {
    byte[] content = "a\nb\n".getBytes(StandardCharsets.UTF_8);
    Files.write(folder.resolve(JobFiles.named("../words/cities.txt")), content);
    assertArrayEquals(content, JobFiles.readNamed(folder, "../words/cities.txt"));
    assertThrows(IOException.class, () -> JobFiles.readNamed(folder, "cities.txt"));
  }

  @Test
  void theJobsConfigurationIsTheSubmittersOverTheNodes(@TempDir Path folder) throws IOException {
    Configuration submitted = new Configuration(false);
    submitted.set("fs.defaultFS", "hdfs://elsewhere");
    submitted.set("penstock.load.workers", "7");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    JobConfiguration.write(submitted, out);
    Files.write(folder.resolve(JobFiles.CONFIGURATION), out.toByteArray());
    Configuration read = JobConfiguration.read(folder);
    assertEquals("hdfs://elsewhere", read.get("fs.defaultFS"));
    assertEquals("7", read.get("penstock.load.workers"));
    assertTrue(read.size() > 100, "Hadoop's own defaults are there too");
  }

  @Test
  void memoryIsRoundedUpToWholeMebibytes() {
    assertEquals(1025, new RankResource(1024L * 1024 * 1024 + 1, 2, 0).toYarn().getMemorySize());
  }

  private static JavaProcess process(List<String> options, Optional<String> javaHome) {
    return new JavaProcess(
        "io.penstock.container.Main",
        2048L * 1024 * 1024,
        0.7,
        options,
        javaHome,
        "penstock-0.1.0/penstock.jar",
        RANK.toEnvironment());
  }
}
