package io.penstock.container.decode;

import io.penstock.container.fetch.FileBytes;
import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** Footers used lately, by path and length of the file; shared by fetch threads. */
public final class FooterCache {
  /** A parsed footer takes several times the bytes that it has in the file. */
  private static final int EXPANSION = 8;

  private final long capacity;
  private final Map<Key, ParquetFooter> footers = new LinkedHashMap<>(16, 0.75f, true);
  private long used;

  private record Key(String path, long length) {}

  /**
   * @param capacity about how many bytes of memory footers may take; one that is larger is not kept
   */
  public FooterCache(long capacity) {
    this.capacity = capacity;
  }

  ParquetFooter of(FileBytes file) throws IOException {
    Key key = new Key(file.path(), file.length());
    synchronized (this) {
      ParquetFooter known = footers.get(key);
      if (known != null) {
        return known;
      }
    }
    ParquetFooter footer = ParquetFooter.read(file);
    keep(key, footer);
    return footer;
  }

  private synchronized void keep(Key key, ParquetFooter footer) {
    if (weight(footer) > capacity || footers.containsKey(key)) {
      return;
    }
    footers.put(key, footer);
    used += weight(footer);
    Iterator<ParquetFooter> oldest = footers.values().iterator();
    while (used > capacity) {
      used -= weight(oldest.next());
      oldest.remove();
    }
  }

  private static long weight(ParquetFooter footer) {
    return 4096 + (long) EXPANSION * footer.footerLength();
  }
}
