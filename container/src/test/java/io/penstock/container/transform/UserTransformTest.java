package io.penstock.container.transform;

import static io.penstock.container.transform.TestingFeeds.FLOAT;
import static io.penstock.container.transform.TestingFeeds.INTEGER;
import static io.penstock.container.transform.TestingFeeds.at;
import static io.penstock.container.transform.TestingFeeds.clip;
import static io.penstock.container.transform.TestingFeeds.column;
import static io.penstock.container.transform.TestingFeeds.doubles;
import static io.penstock.container.transform.TestingFeeds.feed;
import static io.penstock.container.transform.TestingFeeds.fill;
import static io.penstock.container.transform.TestingFeeds.longs;
import static io.penstock.container.transform.TestingFeeds.many;
import static io.penstock.container.transform.TestingFeeds.npy;
import static io.penstock.container.transform.TestingFeeds.one;
import static io.penstock.container.transform.TestingFeeds.whole;
import static io.penstock.container.transform.TestingFeeds.withNulls;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.container.tensors.BlockPool;
import io.penstock.container.tensors.Column;
import io.penstock.container.tensors.RowGroupColumns;
import io.penstock.container.tensors.RowGroupTensors;
import io.penstock.container.tensors.Values;
import io.penstock.feed.BoundFeed;
import io.penstock.feed.Op;
import io.penstock.model.DType;
import io.penstock.model.DataException;
import io.penstock.model.UsageException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UserTransformTest {
  /** Adds {@code args.add} to whole numbers and negates floats. */
  public static final class Sums implements UserTransform {
    private long add;

    @Override
    public void open(Map<String, Object> args) {
      add = (Long) args.get("add");
    }

    @Override
    public List<Column> apply(List<String> names, List<Column> columns) {
      List<Column> out = new ArrayList<>();
      for (Column column : columns) {
        if (column.values() instanceof Values.Longs longs) {
          for (int i = 0; i < column.items(); i++) {
            longs.array()[i] += add;
          }
        } else if (column.values() instanceof Values.Doubles doubles) {
          for (int i = 0; i < column.items(); i++) {
            doubles.array()[i] = -doubles.array()[i];
          }
        }
        out.add(column);
      }
      return out;
    }
  }

  /** Fails as {@code args.how} says. */
  public static final class Fails implements UserTransform {
    private String how;

    @Override
    public void open(Map<String, Object> args) {
      how = (String) args.get("how");
      if (how.equals("open")) {
        throw new IllegalStateException("no network here");
      }
    }

    @Override
    public List<Column> apply(List<String> names, List<Column> columns) throws Exception {
      Column column = columns.get(0);
      return switch (how) {
        case "checked" -> throw new IOException("disk on fire");
        case "linkage" -> throw new NoClassDefFoundError("com/acme/Missing");
        case "null" -> null;
        case "fewer" -> List.of();
        case "rows" -> List.of(longs(1));
        case "short" ->
            List.of(Column.scalar(INTEGER, column.rows(), new Values.Longs(new long[1]), null));
        case "kind" ->
            List.of(Column.scalar(INTEGER, column.rows(), new Values.Doubles(new double[9]), null));
        case "index" ->
            List.of(
                Column.scalar(
                    INTEGER,
                    column.rows(),
                    new Values.Dictionary(new Values.Longs(new long[1]), 1, new int[] {0, 1, 0}),
                    null));
        default -> throw new IllegalArgumentException(how);
      };
    }
  }

  private static Op code(Class<?> type, Map<String, Object> args) {
    return new Op.UserClass(type.getName(), Optional.empty(), args);
  }

  @Test
  void userCodeStandsBetweenOps() {
    Op code = code(Sums.class, Map.of("add", 10L));
    BoundFeed feed =
        feed(
            many(
                "x",
                DType.INT8,
                List.of(
                    column("a", INTEGER, fill(whole(1)), code, clip(null, whole(12))),
                    column("b", FLOAT, code))));
    byte[] block =
        TestingFeeds.run(feed, 3, withNulls(longs(7, 2, 100), 0), doubles(1, 2, 3)).blocks()[0];
    assertArrayEquals(new byte[] {11, -1, 12, -2, 12, -3}, block);
  }

  @Test
  void itSeesPlainArraysWhateverTheFileHad() {
    Op code = code(Sums.class, Map.of("add", 1L));
    Column dictionary =
        Column.scalar(
            INTEGER,
            3,
            new Values.Dictionary(new Values.Ints(new int[] {4, 9}), 2, new int[] {1, 0, 1}),
            null);
    assertArrayEquals(
        new byte[] {10, 5, 10},
        TestingFeeds.bytes(one("x", DType.INT8, column("c", INTEGER, code)), dictionary));
  }

  @Test
  void itSeesArraysAsLists() {
    Op code = code(Sums.class, Map.of("add", 1L));
    BoundFeed feed = feed(one("x", DType.INT8, column("c", TestingFeeds.BYTES, npy(), code), 1, 2));
    byte[] file = NpyDecoderTest.resource("narrow.npy");
    DataException tooLarge =
        assertThrows(
            DataException.class, () -> TestingFeeds.run(feed, 1, TestingFeeds.binary(file)));
    assertTrue(tooLarge.getMessage().endsWith("to become int8: 128"), tooLarge.getMessage());
    BoundFeed wider =
        feed(one("x", DType.INT16, column("c", TestingFeeds.BYTES, npy(), code), 1, 2));
    assertArrayEquals(
        new byte[] {-127, -1, (byte) 128, 0, -127, -1, (byte) 128, 0},
        TestingFeeds.run(wider, 2, TestingFeeds.binary(file, file)).blocks()[0]);
  }

  @Test
  void eachWorkerHasAnInstanceOfItsOwn() {
    Op code = code(Sums.class, Map.of("add", 1L));
    try (Transforms transforms =
            Transforms.compile(feed(one("x", DType.INT8, column("c", INTEGER, code))));
        Transformer first = transforms.newTransformer(new BlockPool(0));
        Transformer second = transforms.newTransformer(new BlockPool(0))) {
      for (Transformer transformer : List.of(first, second, first)) {
        RowGroupTensors made =
            transformer.apply(at(1), RowGroupColumns.of(List.of(longs(1))), Map.of());
        assertArrayEquals(new byte[] {2}, made.blocks()[0]);
      }
    }
  }

  @Test
  void itsFailuresNameClassFileAndRowGroup() {
    String place = "file hdfs:///data/part-0.parquet, row group 3";
    String code = ": tensor x: class " + Fails.class.getName() + ": ";
    assertEquals(place + code + "java.io.IOException: disk on fire", failure("checked"));
    assertEquals(
        place + code + "java.lang.NoClassDefFoundError: com/acme/Missing", failure("linkage"));
    assertEquals(place + code + "must return 1 columns: null", failure("null"));
    assertEquals(place + code + "must return 1 columns: 0", failure("fewer"));
    String column = place + ", column c" + code + "must return a sound column: ";
    assertEquals(column + "rows=1 of 3", failure("rows"));
    assertEquals(column + "values=1 of 3", failure("short"));
    assertEquals(column + "Doubles of integer", failure("kind"));
    assertEquals(column + "index=1 of 1", failure("index"));
  }

  private static String failure(String how) {
    BoundFeed feed =
        feed(one("x", DType.INT8, column("c", INTEGER, code(Fails.class, Map.of("how", how)))));
    return assertThrows(DataException.class, () -> TestingFeeds.run(feed, 3, longs(1, 2, 3)))
        .getMessage();
  }

  @Test
  void aClassThatCanNotBeLoadedOrOpenedIsRefused() {
    assertEquals(
        "class com.acme.Nowhere can't be loaded: java.lang.ClassNotFoundException:"
            + " com.acme.Nowhere",
        refused(new Op.UserClass("com.acme.Nowhere", Optional.empty(), Map.of())));
    assertEquals(
        "must implement io.penstock.container.transform.UserTransform: class=java.lang.String",
        refused(new Op.UserClass("java.lang.String", Optional.empty(), Map.of())));
    assertEquals(
        "jar can't be read: /nowhere/x.jar",
        refused(new Op.UserClass("com.acme.Foo", Optional.of("/nowhere/x.jar"), Map.of())));
    assertEquals(
        "class "
            + Fails.class.getName()
            + " can't be opened: java.lang.IllegalStateException: no network here",
        refused(code(Fails.class, Map.of("how", "open"))));
  }

  private static String refused(Op op) {
    BoundFeed feed = feed(one("x", DType.INT8, column("c", INTEGER, op)));
    return assertThrows(UsageException.class, () -> TestingFeeds.run(feed, 1, longs(1)))
        .getMessage();
  }

  @Test
  void aJarHasAClassLoaderOfItsOwnThatPrefersItsOwnClasses(@TempDir Path folder)
      throws IOException {
    Path jar =
        jar(
            folder,
            "org/slf4j/Logger.java",
            "package org.slf4j; public class Logger { public static long number() { return 42; } }",
            "com/acme/Foo.java",
            """
            package com.acme;
            import io.penstock.container.tensors.*;
            import io.penstock.container.transform.UserTransform;
            import java.util.*;
            public class Foo implements UserTransform {
              public List<Column> apply(List<String> names, List<Column> columns) {
                long[] values = ((Values.Longs) columns.get(0).values()).array();
                Arrays.fill(values, org.slf4j.Logger.number());
                return columns;
              }
            }
            """);
    Op code = new Op.UserClass("com.acme.Foo", Optional.of("s3://jars/foo.jar"), Map.of());
    BoundFeed feed = feed(one("x", DType.INT8, column("c", INTEGER, code)));
    List<String> asked = new ArrayList<>();
    try (Transforms transforms =
            Transforms.compile(
                feed,
                name -> {
                  asked.add(name);
                  return jar;
                });
        Transformer transformer = transforms.newTransformer(new BlockPool(0))) {
      assertArrayEquals(
          new byte[] {42, 42},
          transformer.apply(at(2), RowGroupColumns.of(List.of(longs(1, 2))), Map.of()).blocks()[0]);
    }
    assertEquals(List.of("s3://jars/foo.jar"), asked);
  }

  private static Path jar(Path folder, String... namesAndSources) throws IOException {
    List<String> files = new ArrayList<>();
    for (int i = 0; i < namesAndSources.length; i += 2) {
      Path file = folder.resolve("src").resolve(namesAndSources[i]);
      Files.createDirectories(file.getParent());
      Files.writeString(file, namesAndSources[i + 1]);
      files.add(file.toString());
    }
    Path classes = Files.createDirectories(folder.resolve("classes"));
    List<String> arguments =
        new ArrayList<>(
            List.of("-d", classes.toString(), "-cp", System.getProperty("java.class.path")));
    arguments.addAll(files);
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    assertEquals(0, status);
    Path jar = folder.resolve("user.jar");
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream archive = new JarOutputStream(out);
        var walk = Files.walk(classes)) {
      for (Path file : walk.filter(Files::isRegularFile).sorted().toList()) {
        archive.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        archive.write(Files.readAllBytes(file));
        archive.closeEntry();
      }
    }
    return jar;
  }
}
