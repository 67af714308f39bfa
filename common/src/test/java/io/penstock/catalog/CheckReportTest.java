package io.penstock.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.catalog.CheckReport.FileReport;
import io.penstock.catalog.TestingFileSystem.Disk;
import io.penstock.config.Settings;
import io.penstock.model.UsageException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CheckReportTest {
  private final Disk disk = Disk.fresh();

  private CheckReport check(String... paths) {
    return CheckReport.read(
        java.util.Arrays.stream(paths).map(disk::uri).toList(),
        disk.configuration(),
        Settings.defaults().catalog());
  }

  @Test
  void everyFileIsLookedAtAndTheReasonSaidWhyOneCannotBeRead() {
    disk.put("/d/a.parquet", TestingParquet.ids(25))
        .put("/d/b.txt", "hello, world".getBytes(java.nio.charset.StandardCharsets.US_ASCII))
        .put("/d/c.parquet", new byte[0])
        .put("/d/_SUCCESS", new byte[0]);
    CheckReport report = check("/d");
    assertEquals(
        List.of(
            Optional.empty(),
            Optional.of("not a Parquet file: it does not begin with PAR1"),
            Optional.of("the file is empty")),
        report.files().stream().map(FileReport::error).toList());
    assertFalse(report.allReadable());
    FileReport readable = report.files().get(0);
    assertTrue(readable.readable());
    assertEquals(25, readable.rows());
    assertEquals(3, readable.rowGroups());
    assertEquals("int64", readable.columns().get(0).declared());
  }

  @Test
  void aColumnOfATypeThatIsNotSupportedDoesNotMakeItsFileUnreadable() {
    disk.put(
        "/d/a",
        TestingParquet.nulls(
            "optional fixed_len_byte_array(12) i (INTERVAL); optional group s { optional int32 x; }"
                + " optional group l (LIST) { repeated group list { optional int32 element; } }",
            1));
    CheckReport report = check("/d/a");
    assertTrue(report.allReadable());
    assertEquals(
        List.of("i", "s", "s.x", "l"),
        report.files().get(0).columns().stream().map(column -> column.path()).toList());
    assertTrue(report.files().get(0).columns().get(0).type().isEmpty());
  }

  @Test
  void aMissingPathIsAnError() {
    assertEquals(
        "must exist: path=" + disk.uri("/d"),
        assertThrows(UsageException.class, () -> check("/d")).getMessage());
  }
}
