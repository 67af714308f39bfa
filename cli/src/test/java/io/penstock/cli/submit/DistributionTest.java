package io.penstock.cli.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.cli.submit.DistributionStore.Provided;
import io.penstock.model.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DistributionTest {
  @TempDir Path folder;
  private Path home;

  @BeforeEach
  void makeHome() throws IOException {
    home = Files.createDirectories(folder.resolve("home"));
    Files.createDirectories(home.resolve("lib"));
    Files.createDirectories(home.resolve("conf"));
    Files.createDirectories(home.resolve("docs"));
    Files.writeString(home.resolve("penstock.jar"), "launcher");
    Files.writeString(home.resolve("lib/b.jar"), "b");
    Files.writeString(home.resolve("lib/a.jar"), "a");
    Files.writeString(home.resolve("conf/log4j.properties"), "log");
    Files.writeString(home.resolve("docs/index.md"), "not for containers");
  }

  private Map<String, String> unpacked(FileSystem fileSystem, org.apache.hadoop.fs.Path archive)
      throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (InputStream in = fileSystem.open(archive);
        ZipInputStream zip = new ZipInputStream(in)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        files.put(entry.getName(), new String(zip.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    return files;
  }

  @Test
  void itIsUploadedOnceAndWhole() throws IOException {
    try (FileSystem local = FileSystem.newInstance(folder.toUri(), new Configuration(false))) {
      DistributionStore store =
          new DistributionStore(
              local, new org.apache.hadoop.fs.Path(folder.toUri() + "made/distribution"));
      Provided first = store.provide(Distribution.of(home));
      assertTrue(first.uploaded());
      assertEquals(
          Map.of(
              "penstock.jar", "launcher",
              "lib/a.jar", "a",
              "lib/b.jar", "b",
              "conf/log4j.properties", "log"),
          unpacked(local, first.archive()));
      FileStatus before = local.getFileStatus(first.archive());
      assertEquals("rw-r--r--", before.getPermission().toString());
      assertEquals(new Provided(first.archive(), false), store.provide(Distribution.of(home)));
      assertEquals(before, local.getFileStatus(first.archive()));
      assertEquals(1, local.listStatus(first.archive().getParent()).length);
    }
  }

  @Test
  void itsNameTellsItsContentAndNothingElse() throws IOException {
    String before = Distribution.of(home).archiveName();
    assertTrue(before.matches("penstock-[0-9.]+-[0-9a-f]{16}\\.zip"), before);
    Files.writeString(home.resolve("docs/index.md"), "changed");
    assertEquals(before, Distribution.of(home).archiveName());
    Files.writeString(home.resolve("lib/a.jar"), "changed");
    assertNotEquals(before, Distribution.of(home).archiveName());
  }

  @Test
  void aFailedUploadLeavesNothing() throws IOException {
    try (FileSystem local = FileSystem.newInstance(folder.toUri(), new Configuration(false))) {
      org.apache.hadoop.fs.Path target = new org.apache.hadoop.fs.Path(folder.toUri() + "d");
      DistributionStore store = new DistributionStore(local, target);
      Distribution distribution = Distribution.of(home);
      Files.delete(home.resolve("lib/b.jar"));
      assertThrows(IOException.class, () -> store.provide(distribution));
      assertEquals(0, local.listStatus(target).length);
    }
  }

  @Test
  void aFolderThatIsNoneIsRefused() throws IOException {
    Files.delete(home.resolve("penstock.jar"));
    UsageException refused = assertThrows(UsageException.class, () -> Distribution.of(home));
    assertFalse(refused.getMessage().isEmpty());
  }
}
