package io.penstock.cli.commands;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.cli.Invocation;
import io.penstock.cli.NpyArray;
import io.penstock.cli.TestingParquet;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of docs/user-code.md, compiled and run. */
class UserCodeExampleTest {
  private static final Path EXAMPLE = Path.of("..", "examples", "user-code");

  @TempDir Path folder;
  private Path feed;

  @BeforeEach
  void compileTheExampleAndWriteItsDataset() throws IOException {
    Path classes = Files.createDirectory(folder.resolve("classes"));
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-cp",
                System.getProperty("java.class.path"),
                "--release",
                "17",
                "-d",
                classes.toString(),
                EXAMPLE.resolve("src/com/acme/LastClicks.java").toString());
    assertEquals(0, code);
    try (OutputStream out = Files.newOutputStream(folder.resolve("last-clicks.jar"));
        JarOutputStream jar = new JarOutputStream(out)) {
      jar.putNextEntry(new JarEntry("com/acme/LastClicks.class"));
      Files.copy(classes.resolve("com/acme/LastClicks.class"), jar);
    }
    Path data =
        TestingParquet.write(
            folder.resolve("data/part.parquet"),
            TestingParquet.list("clicks", "int64 element"),
            5,
            3,
            (row, i) -> {
              switch (i) {
                case 0 -> TestingParquet.list(row, "clicks", 1L, 2L, 3L, 4L, 5L, 6L);
                case 1 -> TestingParquet.list(row, "clicks", 7L, 8L);
                case 2 -> TestingParquet.list(row, "clicks");
                case 3 -> TestingParquet.list(row, "clicks", 9L, null, 10L);
                default -> {}
              }
            });
    String text =
        Files.readString(EXAMPLE.resolve("feed.yaml"))
            .replace("/data/rides", data.toString())
            .replace("lanes: 8", "lanes: 1")
            .replace("batch: 4096", "batch: 5\n  shuffle: none");
    feed = Files.writeString(folder.resolve("feed.yaml"), text);
  }

  @Test
  void peekRunsTheClassOfTheJarBesideTheFeed() {
    Path out = folder.resolve("out");
    Invocation peek =
        Invocation.of("peek", "--feed", feed.toString(), "--step", "0", "--out", out.toString());
    assertEquals(0, peek.code(), peek.err());
    NpyArray clicks = NpyArray.read(out.resolve("clicks.npy"));
    assertTrue(clicks.header().contains("(5, 4)"), clicks.header());
    assertArrayEquals(
        new long[] {6, 5, 4, 3, 8, 7, 0, 0, 0, 0, 0, 0, 10, 0, 9, 0, 0, 0, 0, 0}, clicks.longs());
  }

  @Test
  void whatTheClassRefusesNamesIt() throws IOException {
    Files.writeString(feed, Files.readString(feed).replace("keep: 4", "keep: 0"));
    Invocation peek = Invocation.of("peek", "--feed", feed.toString(), "--step", "0");
    assertEquals(2, peek.code(), peek.err());
    assertTrue(peek.err().contains("class com.acme.LastClicks can't be opened"), peek.err());
    assertTrue(peek.err().contains("must be a whole number >= 1: keep=0"), peek.err());
  }

  @Test
  void anotherJarIsAnotherFeed() throws IOException {
    String before = digest();
    Path jar = folder.resolve("last-clicks.jar");
    byte[] bytes = Files.readAllBytes(jar);
    Files.write(jar, Arrays.copyOf(bytes, bytes.length + 1));
    assertTrue(!before.equals(digest()), before);
  }

  private String digest() {
    return Invocation.of("plan", "--json", "--feed", feed.toString())
        .json()
        .get("feed_digest")
        .textValue();
  }
}
