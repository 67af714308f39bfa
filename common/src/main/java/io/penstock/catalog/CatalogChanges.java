package io.penstock.catalog;

import io.penstock.config.CatalogSettings;
import io.penstock.model.DataException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;

/** Whether the files of a catalog are still what they were when it was made. */
public final class CatalogChanges {
  private CatalogChanges() {}

  /**
   * Looks at every file's length, modification time and footer. Files that came after are none of
   * the catalog's.
   *
   * @return one line for each file that changed
   * @throws io.penstock.model.UnreachableException if a file system was not reached in time
   */
  public static List<String> of(
      Catalog catalog, Configuration configuration, CatalogSettings settings) {
    try (Storage storage = new Storage(configuration, settings)) {
      return storage
          .each(catalog.files(), file -> "looking at " + file.path(), file -> change(storage, file))
          .stream()
          .flatMap(Optional::stream)
          .toList();
    }
  }

  private static Optional<String> change(Storage storage, CatalogFile file) throws IOException {
    Path path = new Path(file.path());
    FileStatus now;
    try {
      now = storage.fileSystem(path).getFileStatus(path);
    } catch (FileNotFoundException e) {
      if (Storage.isPermission(e)) {
        throw e;
      }
      return Optional.of("is gone: file " + file.path());
    }
    if (now.getLen() != file.length()) {
      return Optional.of(
          "has %d bytes, had %d: file %s".formatted(now.getLen(), file.length(), file.path()));
    }
    if (now.getModificationTime() != file.modificationTime()) {
      return Optional.of(
          "was modified at %s, not %s: file %s"
              .formatted(
                  Instant.ofEpochMilli(now.getModificationTime()),
                  Instant.ofEpochMilli(file.modificationTime()),
                  file.path()));
    }
    try {
      String digest = storage.footer(now).digest();
      return digest.equals(file.footerDigest())
          ? Optional.empty()
          : Optional.of("has another footer: file " + file.path());
    } catch (DataException e) {
      return Optional.of("has no footer that can be read: " + e.getMessage());
    }
  }
}
