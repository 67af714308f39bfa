package io.penstock.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContainerProcessesTest {
  @TempDir Path folder;

  private Process container;
  private Process stranger;

  @AfterEach
  void endProcesses() {
    for (Process process : new Process[] {container, stranger}) {
      if (process != null) {
        process.destroyForcibly();
      }
    }
  }

  @Test
  void aContainerIsFoundByItsEnvironmentAndKilledByItsName() throws Exception {
    container = sleep(folder, "container_1_0001_01_000002");
    stranger = sleep(folder.resolve("elsewhere"), "container_1_0001_01_000002");
    ContainerProcesses processes = new ContainerProcesses(folder);

    assertEquals(
        List.of(new ContainerProcesses.Found(container.toHandle(), "container_1_0001_01_000002")),
        processes.find());
    assertEquals(0, processes.kill("container_1_0001_01_000001"));
    assertEquals(1, processes.kill("container_1_0001_01_000002"));
    assertTrue(container.waitFor(10, TimeUnit.SECONDS));
    assertTrue(stranger.isAlive());
    assertEquals(0, processes.kill());
  }

  private static Process sleep(Path cluster, String name) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("sleep", "60");
    builder.environment().put("LOCAL_DIRS", cluster + "/nodes/1/local/usercache/me/appcache/a");
    builder.environment().put("CONTAINER_ID", name);
    return builder.start();
  }
}
