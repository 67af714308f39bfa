package io.penstock.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.cluster.RidesDataset.Ask;
import io.penstock.cluster.RidesDataset.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RidesDatasetTest {
  private static final Configuration SETTINGS = new Configuration();

  @TempDir Path folder;

  @Test
  void rowsAreThoseThatAnIndependentProgramComputes() throws Exception {
    List<Group> rows = rows(write(500, 1, 1000));

    Group first = rows.get(0);
    assertEquals(1_011_921, first.getLong("user_id", 0));
    assertEquals(1908, first.getInteger("driver_id", 0));
    assertEquals("city-15", first.getString("city", 0));
    assertEquals("VENDOR_2", first.getString("vendor", 0));
    assertEquals(0, first.getFieldRepetitionCount("payment"));
    assertEquals(240, first.getInteger("pickup_zone", 0));
    assertEquals(139, first.getInteger("dropoff_zone", 0));
    assertEquals(0, first.getFieldRepetitionCount("note"));
    assertEquals(1_774_605_704_238_588L, first.getLong("picked_up_at", 0));
    assertEquals(20_539, first.getInteger("day", 0));
    assertEquals(1.3257741928100586f, first.getFloat("distance_km", 0));
    assertEquals(305, first.getInteger("duration_s", 0));

    Group last = rows.get(499);
    assertEquals(499, last.getLong("ride_id", 0));
    assertEquals(1_003_006, last.getLong("user_id", 0));
    assertEquals("payment-2", last.getString("payment", 0));
    assertEquals("ride note 92806e317b1c5610", last.getString("note", 0));
    assertEquals(0.3230697214603424f, last.getFloat("distance_km", 0));
  }

  @Test
  void theSameRowsAreWrittenToOneFileAndToThree() throws Exception {
    List<String> one = texts(rows(write(1000, 1, 1000)));
    List<String> three = texts(rows(write(1000, 3, 70)));
    assertEquals(1000, one.size());
    assertEquals(one, three);
  }

  @Test
  void filesHaveUnequalSharesOfTheRowsAndRowGroupsDifferByFile() {
    // Shares of 3, 4, 5 and 3 of 15; row groups of 100, 91, 82 and 73 hundredths.
    assertEquals(
        List.of(
            new Part(0, 0, 300, 200),
            new Part(1, 300, 400, 182),
            new Part(2, 700, 500, 164),
            new Part(3, 1200, 300, 146)),
        RidesDataset.layout(new Ask("x", 1500, 4, 200, 0)));
  }

  @Test
  void rowGroupsHoldTheRowsOfTheLayout() throws Exception {
    Path written = write(1500, 4, 200);
    List<List<Long>> found = new ArrayList<>();
    for (Path file : files(written)) {
      try (ParquetFileReader reader =
          ParquetFileReader.open(HadoopInputFile.fromPath(hadoop(file), SETTINGS))) {
        found.add(reader.getRowGroups().stream().map(BlockMetaData::getRowCount).toList());
      }
    }
    assertEquals(
        List.of(
            List.of(200L, 100L),
            List.of(182L, 182L, 36L),
            List.of(164L, 164L, 164L, 8L),
            List.of(146L, 146L, 8L)),
        found);
  }

  @Test
  void listsAreFixedRaggedEmptyAndNull() throws Exception {
    int nullLists = 0;
    int emptyLists = 0;
    int nullItems = 0;
    for (Group row : rows(write(2000, 1, 2000))) {
      assertEquals(8, row.getGroup("embedding", 0).getFieldRepetitionCount("list"));
      if (row.getFieldRepetitionCount("clicks") == 0) {
        nullLists++;
        continue;
      }
      Group clicks = row.getGroup("clicks", 0);
      int items = clicks.getFieldRepetitionCount("list");
      assertTrue(items <= 24, () -> "clicks: " + items);
      emptyLists += items == 0 ? 1 : 0;
      for (int i = 0; i < items; i++) {
        nullItems += 1 - clicks.getGroup("list", i).getFieldRepetitionCount("element");
      }
    }
    assertEquals(40, nullLists, 25);
    assertEquals(78, emptyLists, 35);
    assertEquals(240, nullItems, 80);
  }

  @Test
  void theLabelFollowsTheFirstSignal() throws Exception {
    int[] count = new int[2];
    int[] ones = new int[2];
    for (Group row : rows(write(4000, 1, 4000))) {
      if (row.getFieldRepetitionCount("signal_00") == 1) {
        int high = row.getFloat("signal_00", 0) > 0 ? 1 : 0;
        count[high]++;
        ones[high] += row.getInteger("label", 0);
      }
    }
    double low = (double) ones[0] / count[0];
    double high = (double) ones[1] / count[1];
    assertTrue(high - low > 0.2, () -> "share of ones: " + low + " below zero, " + high + " above");
  }

  @Test
  void anExistingFolderIsRefused() throws Exception {
    Path written = write(10, 1, 10);
    IllegalArgumentException error =
        assertThrows(
            IllegalArgumentException.class,
            () -> RidesDataset.write(new Ask(written.toUri().toString(), 10, 1, 10, 1), SETTINGS));
    assertTrue(error.getMessage().startsWith("the folder must not exist: "), error.getMessage());
  }

  @Test
  void aBadAskNamesTheOption() {
    assertMessage("--files must be > 0: 0", "x", "--files", "0");
    assertMessage("--rows must be >= --files (8): 7", "x", "--rows", "7");
    assertMessage("--rows must be a whole number: many", "x", "--rows", "many");
    assertMessage("--rows-per-group must be >= 2: 1", "x", "--rows-per-group", "1");
    assertMessage("--seed must be >= 0: -1", "x", "--seed", "-1");
    assertMessage(Ask.USAGE + ": --colour", "x", "--colour", "red");
    assertMessage(Ask.USAGE, "--rows", "7");
    assertMessage(Ask.USAGE);
  }

  private static void assertMessage(String message, String... args) {
    assertEquals(
        message, assertThrows(IllegalArgumentException.class, () -> Ask.parse(args)).getMessage());
  }

  private Path write(long rows, int files, int rowsPerGroup) throws Exception {
    Path target = folder.resolve(rows + "-" + files + "-" + rowsPerGroup);
    RidesDataset.write(new Ask(target.toUri().toString(), rows, files, rowsPerGroup, 42), SETTINGS);
    return target;
  }

  private static List<Path> files(Path dataset) throws IOException {
    try (Stream<Path> files = Files.list(dataset)) {
      return files
          .filter(file -> file.getFileName().toString().endsWith(".parquet"))
          .filter(file -> !file.getFileName().toString().startsWith("."))
          .sorted()
          .toList();
    }
  }

  private static List<Group> rows(Path dataset) throws IOException {
    List<Group> rows = new ArrayList<>();
    for (Path file : files(dataset)) {
      try (ParquetReader<Group> reader =
          ParquetReader.builder(new GroupReadSupport(), hadoop(file)).build()) {
        Group row;
        while ((row = reader.read()) != null) {
          rows.add(row);
        }
      }
    }
    return rows;
  }

  private static List<String> texts(List<Group> rows) {
    return rows.stream().map(Group::toString).toList();
  }

  private static org.apache.hadoop.fs.Path hadoop(Path file) {
    return new org.apache.hadoop.fs.Path(file.toUri());
  }
}
