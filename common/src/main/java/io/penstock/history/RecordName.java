package io.penstock.history;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The name of a written {@link JobHistory}: {@code record-A-N.json}. Each attempt has names of its
 * own, so that an attempt that was replaced can't write over what a later one wrote.
 */
record RecordName(int attempt, long number) implements Comparable<RecordName> {
  private static final Pattern PATTERN =
      Pattern.compile("record-([0-9]{1,9})-([0-9]{1,18})\\.json");

  static Optional<RecordName> parse(String name) {
    Matcher matcher = PATTERN.matcher(name);
    return matcher.matches()
        ? Optional.of(
            new RecordName(Integer.parseInt(matcher.group(1)), Long.parseLong(matcher.group(2))))
        : Optional.empty();
  }

  /** Those in a job's folder, the one that counts first. */
  static List<RecordName> in(FileSystem fileSystem, Path folder) throws IOException {
    return Stream.of(HistoryFolder.list(fileSystem, folder))
        .flatMap(status -> parse(status.getPath().getName()).stream())
        .sorted(Comparator.reverseOrder())
        .toList();
  }

  @Override
  public int compareTo(RecordName other) {
    int byAttempt = Integer.compare(attempt, other.attempt);
    return byAttempt != 0 ? byAttempt : Long.compare(number, other.number);
  }

  @Override
  public String toString() {
    return "record-" + attempt + "-" + number + ".json";
  }
}
