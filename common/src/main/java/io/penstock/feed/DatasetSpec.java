package io.penstock.feed;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The feed's {@code dataset}: which files, and what their folders and faults mean.
 *
 * @param paths files, folders or globs, as written; at least one
 * @param exclude globs on the path below the root; without {@code /} on a name at any depth
 * @param partitionTypes by hive key; keys that are not there are strings
 * @param maxBadRows share of all rows, 0 to 1, that may be quarantined
 */
public record DatasetSpec(
    List<String> paths,
    List<String> exclude,
    Partitions partitions,
    Map<String, PartitionType> partitionTypes,
    BadRowGroup badRowGroup,
    double maxBadRows) {
  /** The share where the feed gives none. */
  public static final double DEFAULT_MAX_BAD_ROWS = 0.001;

  /** What folders named {@code key=value} are. */
  public enum Partitions {
    /** Folders. */
    NONE("none"),
    /** Columns. */
    HIVE("hive");

    private final String text;

    Partitions(String text) {
      this.text = text;
    }

    /** The word that the feed file uses. */
    public String text() {
      return text;
    }
  }

  /** What happens on a row group that can't be decoded or breaks the feed. */
  public enum BadRowGroup {
    /** The job fails. */
    FAIL("fail"),
    /** Its rows keep their positions, are not valid, and are zero. */
    QUARANTINE("quarantine");

    private final String text;

    BadRowGroup(String text) {
      this.text = text;
    }

    /** The word that the feed file uses. */
    public String text() {
      return text;
    }
  }

  public DatasetSpec {
    paths = List.copyOf(paths);
    exclude = List.copyOf(exclude);
    Objects.requireNonNull(partitions, "partitions");
    partitionTypes = Collections.unmodifiableMap(new LinkedHashMap<>(partitionTypes));
    Objects.requireNonNull(badRowGroup, "badRowGroup");
  }
}
