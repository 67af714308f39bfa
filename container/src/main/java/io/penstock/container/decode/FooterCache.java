package io.penstock.container.decode;

import io.penstock.catalog.Footer;
import io.penstock.container.fetch.FileBytes;
import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** Footers used lately, by path and length of the file; shared by fetch threads. */
public final class FooterCache {
  /** About what the schema's objects take for a column. */
  private static final int COLUMN_BYTES = 2_000;

  /** About what is kept of a column chunk. */
  private static final int CHUNK_BYTES = 64;

  private final long capacity;
  private final Map<Key, Footer> footers = new LinkedHashMap<>(16, 0.75f, true);
  private long used;

  private record Key(String path, long length) {}

  /**
   * @param capacity about how many bytes of memory footers may take; one that is larger is not kept
   */
  public FooterCache(long capacity) {
    this.capacity = capacity;
  }

  Footer of(FileBytes file) throws IOException {
    Key key = new Key(file.path(), file.length());
    synchronized (this) {
      Footer known = footers.get(key);
      if (known != null) {
        return known;
      }
    }
    Footer footer = Footer.read(file.path(), file.length(), file::readFully);
    keep(key, footer);
    return footer;
  }

  private synchronized void keep(Key key, Footer footer) {
    if (weight(footer) > capacity || footers.containsKey(key)) {
      return;
    }
    footers.put(key, footer);
    used += weight(footer);
    Iterator<Footer> oldest = footers.values().iterator();
    while (used > capacity) {
      used -= weight(oldest.next());
      oldest.remove();
    }
  }

  private static long weight(Footer footer) {
    long columns = footer.schema().getColumns().size();
    return columns * (COLUMN_BYTES + (long) CHUNK_BYTES * footer.rowGroups().size());
  }
}
