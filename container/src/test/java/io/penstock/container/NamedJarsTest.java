package io.penstock.container;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.container.transform.Transforms;
import io.penstock.feed.BoundFeed;
import io.penstock.feed.Feed;
import io.penstock.feed.FeedParser;
import io.penstock.model.ColumnSchema;
import io.penstock.model.ColumnType;
import io.penstock.model.ColumnType.Kind;
import io.penstock.yarn.JobFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamedJarsTest {
  private static final String FEED =
      """
      penstock: 1
      dataset: {paths: [/data]}
      order: {seed: 1, lanes: 1, batch: 1}
      tensors:
        x: {column: x, dtype: int64, ops: [{class: com.acme.Same, jar: lib/same.jar}]}
      """;
  private static final String SAME =
      """
      package com.acme;
      import io.penstock.container.tensors.Column;
      import java.util.List;
      public class Same implements io.penstock.container.transform.UserTransform {
        public List<Column> apply(List<String> names, List<Column> columns) { return columns; }
      }
      """;

  @TempDir Path folder;

  private byte[] jar() throws IOException {
    Path source = Files.writeString(folder.resolve("Same.java"), SAME);
    String classPath = System.getProperty("java.class.path");
    String[] arguments = {"-cp", classPath, "-d", folder.toString(), source.toString()};
    assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JarOutputStream out = new JarOutputStream(bytes)) {
      out.putNextEntry(new JarEntry("com/acme/Same.class"));
      out.write(Files.readAllBytes(folder.resolve("com/acme/Same.class")));
    }
    return bytes.toByteArray();
  }

  private static BoundFeed bind(Feed feed) {
    ColumnType type = ColumnType.scalar(Kind.INTEGER);
    return BoundFeed.bind(
        feed, List.of(new ColumnSchema("x", true, Optional.of(type), "int64", false)));
  }

  @Test
  void theBytesThatTheDigestIsOfAreLoadedAndGoWhenClosed() throws IOException {
    byte[] jar = jar();
    Feed feed = FeedParser.parse(FEED, "feed.yaml", path -> jar);
    Path copy;
    try (NamedJars jars = new NamedJars(feed)) {
      Transforms.compile(bind(feed), jars::path).close();
      copy = jars.path("lib/same.jar");
      assertArrayEquals(jar, Files.readAllBytes(copy));
      assertEquals(copy, jars.path("lib/same.jar"));
    }
    assertTrue(Files.notExists(copy));
  }

  @Test
  void aJarOfAJobIsLoadedByTheNameThatItIsShippedBy() throws IOException {
    Files.write(folder.resolve(JobFiles.named("lib/same.jar")), jar());
    Feed feed = FeedParser.parse(FEED, "feed.yaml", path -> JobFiles.readNamed(folder, path));
    Transforms.compile(bind(feed), name -> folder.resolve(JobFiles.named(name))).close();
  }
}
