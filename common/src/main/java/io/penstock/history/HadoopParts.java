package io.penstock.history;

import io.penstock.config.ClientTimeouts;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;

/**
 * Parts as files of a Hadoop file system. Where it can flush an open file to its servers, as HDFS
 * does, a rank has one part unless something fails; else every commit closes a part of its own.
 */
final class HadoopParts implements CertificateParts {
  private final Configuration configuration;
  private final HistoryFolder folder;
  private final Path base;
  private FileSystem fileSystem;

  /**
   * @param base the parts' path without {@code -pN.cert}
   * @param patience for one request
   */
  HadoopParts(Configuration configuration, HistoryFolder folder, Path base, Duration patience) {
    this.configuration = ClientTimeouts.within(patience, configuration);
    this.folder = folder;
    this.base = base;
  }

  @Override
  public Part create(int number) throws IOException {
    if (fileSystem == null) {
      fileSystem = folder.open(configuration);
    }
    FSDataOutputStream out =
        fileSystem.create(new Path(base + "-p" + number + CertificateFiles.SUFFIX), false);
    return new Part() {
      @Override
      public void write(byte[] bytes) throws IOException {
        out.write(bytes);
      }

      @Override
      public After keep() throws IOException {
        if (out.hasCapability(StreamCapabilities.HSYNC)) {
          out.hsync();
          return After.GOES_ON;
        }
        out.close();
        return After.NEXT_PART;
      }

      @Override
      public void close() throws IOException {
        out.close();
      }
    };
  }

  @Override
  public void close() throws IOException {
    if (fileSystem != null) {
      fileSystem.close();
    }
  }
}
