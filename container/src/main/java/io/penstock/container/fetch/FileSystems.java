package io.penstock.container.fetch;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** One file system of our own per scheme and authority, so that closing them breaks nobody. */
final class FileSystems {
  private final Configuration configuration;
  private final Map<String, FileSystem> open = new HashMap<>(); // guarded by this
  private boolean closed; // guarded by this

  FileSystems(Configuration configuration) {
    this.configuration = configuration;
  }

  FileSystem of(Path path) throws IOException {
    URI uri = path.toUri();
    if (uri.getScheme() == null) {
      uri = FileSystem.getDefaultUri(configuration);
    }
    String authority = uri.getAuthority() == null ? "" : uri.getAuthority();
    String key = (uri.getScheme() + "://" + authority).toLowerCase(Locale.ROOT);
    synchronized (this) {
      FileSystem known = open.get(key);
      if (known != null) {
        return known;
      }
    }
    // Outside the lock: this may ask a NameNode that hangs.
    FileSystem created = FileSystem.newInstance(uri, configuration);
    FileSystem kept;
    synchronized (this) {
      kept = closed ? null : open.putIfAbsent(key, created);
      if (kept == null && !closed) {
        return created;
      }
    }
    created.close();
    if (kept == null) {
      throw new IOException("the fetcher is closed");
    }
    return kept;
  }

  void close() throws IOException {
    List<FileSystem> toClose;
    synchronized (this) {
      closed = true;
      toClose = new ArrayList<>(open.values());
      open.clear();
    }
    IOException first = null;
    for (FileSystem fileSystem : toClose) {
      try {
        fileSystem.close();
      } catch (IOException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
