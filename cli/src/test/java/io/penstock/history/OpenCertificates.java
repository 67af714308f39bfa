package io.penstock.history;

import io.penstock.model.Cursor;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/** The certificate files of a job that has no record, for tests of other packages. */
public final class OpenCertificates {
  private OpenCertificates() {}

  /** What they say of an epoch up to a job's end. */
  public static List<Block> blocks(HistoryFolder folder, String feed, long epoch, Cursor end)
      throws IOException {
    try (FileSystem fileSystem = folder.open(new Configuration(false))) {
      return CertificateFiles.read(fileSystem, folder.certificates(feed)).blocks(epoch, end);
    }
  }
}
