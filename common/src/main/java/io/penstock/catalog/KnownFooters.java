package io.penstock.catalog;

import io.penstock.catalog.Footer.Chunk;
import io.penstock.catalog.Footer.RowGroup;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.format.CompressionCodec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Footers of files by path, length and modification time, so that nobody reads them twice.
 * Thread-safe.
 *
 * <h2>Memory</h2>
 *
 * A footer is kept as some bytes a column chunk, without its schema, which files share, and without
 * statistics and metadata, which nobody asks for. Together they stay below a limit; what comes
 * later is not kept, and neither are files of more than {@value #MOST_SCHEMAS} schemas.
 *
 * <h2>Layout</h2>
 *
 * <pre>
 *   gzip of "PENSFOOT", version (int32, big-endian, 1), records, an empty record
 *   record   kind (1 byte: 1 schema, 2 footer, 0 the end), bytes (int32), CRC-32C (int32) of them
 *   schema   a Parquet footer without row groups; counted from 0
 *   footer   path, length, modification time, number of its schema, digest, row groups, and the
 *            numbers of encrypted leaves, all as {@link ByteSink} writes
 *   row group  rows, then for each leaf of the schema: codec, offset (from the end of the chunk
 *            before), compressed and uncompressed bytes, values (from the row group's rows)
 * </pre>
 *
 * A record that is broken, and all behind it, counts as not written.
 */
final class KnownFooters {
  private static final Logger LOG = LoggerFactory.getLogger(KnownFooters.class);

  private static final long MAGIC = 0x50454e53464f4f54L;
  private static final int VERSION = 1;
  private static final int END = 0;
  private static final int SCHEMA = 1;
  private static final int FOOTER = 2;

  /** Schemas are large, and files of one dataset share a few. */
  static final int MOST_SCHEMAS = 1_000;

  /** What an entry takes beside its bytes. */
  private static final int OVERHEAD = 200;

  /** A file younger than this may change once more without its time showing it. */
  private static final long SETTLED_MILLIS = 2_000;

  /** A footer without its schema. */
  private record Stored(long length, long modificationTime, StoredSchema schema, byte[] rest) {}

  private final long limit;

  // All guarded by this.
  private final Map<String, Stored> footers = new HashMap<>();
  private final Map<StoredSchema.Key, Optional<StoredSchema>> schemas = new HashMap<>();
  private long bytes;
  private boolean full;
  private long added;
  private long used;
  private long stale;

  /**
   * @param limit the most bytes that they take
   */
  KnownFooters(long limit) {
    this.limit = limit;
  }

  /** The footer of a file, if the file has not changed since it was read. */
  Optional<Footer> find(FileStatus status) {
    String path = status.getPath().toString();
    Stored stored;
    synchronized (this) {
      stored = footers.get(path);
      if (stored == null) {
        return Optional.empty();
      }
      if (stored.length() != status.getLen()
          || stored.modificationTime() != status.getModificationTime()) {
        stale++;
        return Optional.empty();
      }
    }
    try {
      Footer footer = footer(path, stored);
      synchronized (this) {
        used++;
      }
      return Optional.of(footer);
    } catch (RuntimeException e) {
      LOG.warn("event=known-footer-broken file={} reason=\"{}\"", path, e.toString());
      synchronized (this) {
        footers.remove(path, stored);
      }
      return Optional.empty();
    }
  }

  /**
   * Keeps a footer, unless the file is so young that it may yet change, or there is no room.
   *
   * @param nowMillis milliseconds since 1970
   */
  void add(FileStatus status, Footer footer, long nowMillis) {
    if (nowMillis - status.getModificationTime() < SETTLED_MILLIS) {
      return;
    }
    Optional<StoredSchema> schema = schemaOf(footer);
    if (schema.isEmpty()) {
      return;
    }
    byte[] rest = rest(footer);
    Stored stored = new Stored(status.getLen(), status.getModificationTime(), schema.get(), rest);
    synchronized (this) {
      if (put(status.getPath().toString(), stored)) {
        added++;
      }
    }
  }

  private boolean put(String path, Stored stored) {
    Stored before = footers.get(path);
    long more = size(path, stored) - (before == null ? 0 : size(path, before));
    if (bytes + more > limit) {
      if (!full) {
        full = true;
        LOG.info("event=known-footers-full files={} limit={}", footers.size(), limit);
      }
      return false;
    }
    bytes += more;
    footers.put(path, stored);
    return true;
  }

  private static long size(String path, Stored stored) {
    return OVERHEAD + 2L * path.length() + stored.rest().length;
  }

  /** Empty if it can't be kept, or there are too many already. */
  private synchronized Optional<StoredSchema> schemaOf(Footer footer) {
    StoredSchema.Key wanted = new StoredSchema.Key(footer.createdBy(), footer.schema());
    if (schemas.size() >= MOST_SCHEMAS && !schemas.containsKey(wanted)) {
      return Optional.empty();
    }
    return schemas.computeIfAbsent(
        wanted, key -> Optional.of(StoredSchema.of(footer)).filter(StoredSchema::isWhole));
  }

  /** Whether there is something to be written. */
  synchronized boolean hasNew() {
    return added > 0;
  }

  /** What was found and what was not, for the log. */
  synchronized String figures() {
    return "used=%d stale=%d new=%d bytes=%d".formatted(used, stale, added, bytes);
  }

  private static byte[] rest(Footer footer) {
    ByteSink out = new ByteSink();
    out.bytes(HexFormat.of().parseHex(footer.digest()));
    List<ColumnDescriptor> leaves = footer.schema().getColumns();
    out.number(footer.rowGroups().size());
    for (RowGroup group : footer.rowGroups()) {
      out.number(group.rows());
      long end = 0;
      for (Chunk chunk : group.chunks()) {
        out.number(chunk.codec().getValue());
        out.difference(chunk.offset() - end);
        out.number(chunk.compressedBytes());
        out.number(chunk.uncompressedBytes());
        out.difference(chunk.values() - group.rows());
        end = chunk.offset() + chunk.compressedBytes();
      }
    }
    List<Integer> encrypted = new ArrayList<>();
    for (int leaf = 0; leaf < leaves.size(); leaf++) {
      if (footer.columns().isEncrypted(List.of(leaves.get(leaf).getPath()))) {
        encrypted.add(leaf);
      }
    }
    out.number(encrypted.size());
    encrypted.forEach(out::number);
    return out.toByteArray();
  }

  private static Footer footer(String path, Stored stored) {
    StoredSchema schema = stored.schema();
    List<ColumnDescriptor> leaves = schema.message().getColumns();
    ByteSource in = new ByteSource(stored.rest());
    String digest = HexFormat.of().formatHex(in.bytes());
    int groups = in.count();
    List<RowGroup> rowGroups = new ArrayList<>(groups);
    for (int ordinal = 0; ordinal < groups; ordinal++) {
      long rows = in.number();
      List<Chunk> chunks = new ArrayList<>(leaves.size());
      long end = 0;
      for (int leaf = 0; leaf < leaves.size(); leaf++) {
        CompressionCodec codec = CompressionCodec.findByValue(Math.toIntExact(in.number()));
        if (codec == null) {
          throw new IllegalArgumentException("no such codec");
        }
        long offset = end + in.difference();
        long compressed = in.number();
        chunks.add(new Chunk(codec, offset, compressed, in.number(), rows + in.difference()));
        end = offset + compressed;
      }
      rowGroups.add(new RowGroup(ordinal, rows, chunks));
    }
    TreeSet<Integer> encrypted = new TreeSet<>();
    for (int i = in.count(); i > 0; i--) {
      encrypted.add(Math.toIntExact(in.number()));
    }
    ParquetColumns columns =
        encrypted.isEmpty()
            ? schema.columns()
            : ParquetColumns.of(
                schema.message(),
                encrypted.stream()
                    .map(leaf -> List.of(leaves.get(leaf).getPath()))
                    .collect(Collectors.toSet()));
    return new Footer(
        path, stored.length(), digest, schema.createdBy(), schema.message(), columns, rowGroups);
  }

  /** Writes those of {@code files}, in that order. The stream is closed. */
  synchronized void write(List<Path> files, OutputStream stream) throws IOException {
    try (DataOutputStream out = new DataOutputStream(new GZIPOutputStream(stream, 1 << 16))) {
      out.writeLong(MAGIC);
      out.writeInt(VERSION);
      Map<StoredSchema.Key, Integer> numbers = new LinkedHashMap<>();
      for (Path file : files) {
        String path = file.toString();
        Stored stored = footers.get(path);
        if (stored == null) {
          continue;
        }
        Integer number = numbers.get(stored.schema().key());
        if (number == null) {
          number = numbers.size();
          numbers.put(stored.schema().key(), number);
          record(out, SCHEMA, stored.schema().toBytes());
        }
        record(
            out,
            FOOTER,
            new ByteSink()
                .text(path)
                .number(stored.length())
                .difference(stored.modificationTime())
                .number(number)
                .bytes(stored.rest())
                .toByteArray());
      }
      record(out, END, new byte[0]);
    }
  }

  private static void record(DataOutputStream out, int kind, byte[] bytes) throws IOException {
    out.writeByte(kind);
    out.writeInt(bytes.length);
    out.writeInt(sum(bytes));
    out.write(bytes);
  }

  private static int sum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, bytes.length);
    return (int) crc.getValue();
  }

  /**
   * Reads what {@link #write} wrote, up to the first record that is broken or can't be read. The
   * stream is closed.
   *
   * @param name for messages
   */
  static KnownFooters read(String name, InputStream stream, long limit) {
    KnownFooters known = new KnownFooters(limit);
    try (stream) {
      known.read(stream);
    } catch (IOException | RuntimeException e) {
      LOG.warn(
          "event=known-footers-broken file={} kept={} reason=\"{}\"",
          name,
          known.size(),
          e.toString());
    }
    return known;
  }

  private synchronized void read(InputStream stream) throws IOException {
    DataInputStream in = new DataInputStream(new GZIPInputStream(stream, 1 << 16));
    if (in.readLong() != MAGIC || in.readInt() != VERSION) {
      throw new IllegalArgumentException("it is none of version " + VERSION);
    }
    List<StoredSchema> read = new ArrayList<>();
    while (true) {
      int kind = in.readUnsignedByte();
      int length = in.readInt();
      int sum = in.readInt();
      if (length < 0 || length > limit) {
        throw new IllegalArgumentException("a record of " + length + " bytes");
      }
      byte[] record = in.readNBytes(length);
      if (record.length < length) {
        throw new EOFException("a record is cut short");
      }
      if (sum(record) != sum) {
        throw new IllegalArgumentException("a record has another checksum");
      }
      switch (kind) {
        case END -> {
          return;
        }
        case SCHEMA -> {
          if (read.size() == MOST_SCHEMAS) {
            throw new IllegalArgumentException("more schemas than " + MOST_SCHEMAS);
          }
          StoredSchema schema = StoredSchema.read(record);
          schemas.put(schema.key(), Optional.of(schema));
          read.add(schema);
        }
        case FOOTER -> {
          ByteSource from = new ByteSource(record);
          String path = from.text();
          long fileLength = from.number();
          long time = from.difference();
          StoredSchema schema = read.get(Math.toIntExact(from.number()));
          if (!put(path, new Stored(fileLength, time, schema, from.bytes()))) {
            return;
          }
        }
        default -> throw new IllegalArgumentException("a record of unknown kind " + kind);
      }
    }
  }

  synchronized int size() {
    return footers.size();
  }
}
