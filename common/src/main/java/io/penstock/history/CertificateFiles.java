package io.penstock.history;

import io.penstock.coordination.records.Sums;
import io.penstock.model.Cursor;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The certificate files of one feed of a job, read back as sums over all ranks.
 *
 * <h2>Counting each position once</h2>
 *
 * A generation's records count up to where the next generation began: what lies beyond was
 * delivered again. Within a generation the sums over all ranks are known between two steps at which
 * every rank has the end of a record: blocks, and commits that all made. Steps of which a rank has
 * no record are not known, and are left out.
 */
public final class CertificateFiles {
  static final String SUFFIX = ".cert";

  private static final Pattern NAME = Pattern.compile("g([0-9]+)-r([0-9]+)-p([0-9]+)\\.cert");

  private record Part(Path path, CertificateHeader header) {}

  private final FileSystem fileSystem;
  private final Map<Integer, List<Part>> generations = new TreeMap<>();
  private final List<String> problems = new ArrayList<>();

  private CertificateFiles(FileSystem fileSystem) {
    this.fileSystem = fileSystem;
  }

  /** Reads the files' headers. */
  static CertificateFiles read(FileSystem fileSystem, Path folder) throws IOException {
    CertificateFiles files = new CertificateFiles(fileSystem);
    for (FileStatus status : HistoryFolder.list(fileSystem, folder)) {
      Matcher name = NAME.matcher(status.getPath().getName());
      if (!name.matches()) {
        continue;
      }
      byte[] head;
      try (InputStream in = fileSystem.open(status.getPath())) {
        head = in.readNBytes(CertificateFormat.HEADER_BYTES);
      }
      CertificateFormat.header(head)
          .ifPresentOrElse(
              header ->
                  files
                      .generations
                      .computeIfAbsent(header.generation(), g -> new ArrayList<>())
                      .add(new Part(status.getPath(), header)),
              () -> files.problems.add("no certificate: " + status.getPath()));
    }
    return files;
  }

  /** Files that could not be read, in words. */
  public List<String> problems() {
    return List.copyOf(problems);
  }

  /** The headers of all files. */
  public List<CertificateHeader> headers() {
    return generations.values().stream().flatMap(List::stream).map(Part::header).toList();
  }

  /**
   * What is known of an epoch.
   *
   * @param end the job's agreed cursor, or where it is read up to
   * @return sums over all ranks, rising, no step twice
   */
  public List<Block> blocks(long epoch, Cursor end) throws IOException {
    List<Block> blocks = new ArrayList<>();
    List<Integer> numbers = List.copyOf(generations.keySet());
    for (int i = 0; i < numbers.size(); i++) {
      List<Part> parts = generations.get(numbers.get(i));
      Cursor cut = end;
      for (int later = i + 1; later < numbers.size(); later++) {
        Cursor start = generations.get(numbers.get(later)).get(0).header().start();
        cut = start.compareTo(cut) < 0 ? start : cut;
      }
      Cursor start = parts.get(0).header().start();
      if (start.epoch() <= epoch && cut.compareTo(new Cursor(epoch, 0)) > 0) {
        blocks.addAll(added(parts, epoch, cut));
      }
    }
    return blocks;
  }

  private List<Block> added(List<Part> parts, long epoch, Cursor cut) throws IOException {
    int ranks = parts.get(0).header().slice().ranks();
    Map<Integer, Map<Long, Block>> byRank = new HashMap<>();
    for (Part part : parts) {
      Map<Long, Block> records =
          byRank.computeIfAbsent(part.header().slice().rank(), r -> new TreeMap<>());
      for (Block record : records(part.path())) {
        if (record.epoch() == epoch && record.isBefore(cut)) {
          records.put(record.from(), record);
        }
      }
    }
    if (byRank.size() < ranks) {
      return List.of();
    }
    TreeSet<Long> common = null;
    for (Map<Long, Block> records : byRank.values()) {
      TreeSet<Long> ends = new TreeSet<>();
      for (Block record : records.values()) {
        ends.add(record.from());
        ends.add(record.to());
      }
      if (common == null) {
        common = ends;
      } else {
        common.retainAll(ends);
      }
    }
    List<Block> blocks = new ArrayList<>();
    Long from = null;
    for (Long to : common) {
      if (from != null) {
        Sums sums = between(byRank, from, to);
        if (sums != null) {
          blocks.add(new Block(epoch, from, to, sums));
        }
      }
      from = to;
    }
    return blocks;
  }

  /** Sums of all ranks over some steps; null if a rank has not all of them. */
  private static Sums between(Map<Integer, Map<Long, Block>> byRank, long from, long to) {
    Sums sums = Sums.NONE;
    for (Map<Long, Block> records : byRank.values()) {
      for (long at = from; at < to; ) {
        Block record = records.get(at);
        if (record == null || record.to() > to) {
          return null;
        }
        sums = sums.plus(record.sums());
        at = record.to();
      }
    }
    return sums;
  }

  private List<Block> records(Path path) throws IOException {
    byte[] bytes;
    try (InputStream in = fileSystem.open(path)) {
      // Not the length that the file system says: that of a file still open on HDFS is short.
      bytes = in.readAllBytes();
    }
    List<Block> records = new ArrayList<>();
    int at = CertificateFormat.HEADER_BYTES;
    while (at < bytes.length) {
      var record = CertificateFormat.record(bytes, at);
      if (record.isEmpty()) {
        if (bytes.length - at >= CertificateFormat.RECORD_BYTES) {
          problems.add("a broken record at byte " + at + ": " + path);
        }
        break;
      }
      records.add(record.get());
      at += CertificateFormat.RECORD_BYTES;
    }
    return records;
  }
}
