package io.penstock.coordination.records;

import io.penstock.model.Cursor;
import java.util.ArrayList;
import java.util.List;

/**
 * A rank's commits that the agreed cursor has not passed, in bounded room.
 *
 * <p>While ranks agree, the log is a handful of commits long. If one rank runs far ahead, its log
 * would grow without end; so when it is full, every second commit is left out, then three of four,
 * and so on, counted from the generation's start. Ranks that commit at the same steps leave out the
 * same ones, so they still find a commit in common, and losing some only makes a restart begin a
 * little earlier. The newest commit is always kept.
 *
 * <p>Not thread-safe: its owner is the thread that reports the rank's progress.
 */
public final class CommitLog {
  private static final int CAPACITY = 256;

  private record Numbered(long number, Commit commit) {}

  private final int capacity;
  private final List<Numbered> commits = new ArrayList<>();
  private long number;
  private long stride = 1;

  public CommitLog() {
    this(CAPACITY);
  }

  CommitLog(int capacity) {
    this.capacity = capacity;
  }

  /**
   * Adds a commit; one that is not after the newest changes nothing.
   *
   * @return whether it was after the newest
   */
  public boolean add(Commit commit) {
    if (!commits.isEmpty()
        && commit.cursor().compareTo(commits.get(commits.size() - 1).commit().cursor()) <= 0) {
      return false;
    }
    if (!commits.isEmpty() && commits.get(commits.size() - 1).number() % stride != 0) {
      commits.remove(commits.size() - 1);
    }
    commits.add(new Numbered(++number, commit));
    while (commits.size() > capacity) {
      stride *= 2;
      Numbered newest = commits.remove(commits.size() - 1);
      commits.removeIf(kept -> kept.number() % stride != 0);
      commits.add(newest);
    }
    return true;
  }

  /** Leaves out the commits before the agreed cursor, but never the newest. */
  public void passed(Cursor agreed) {
    while (commits.size() > 1 && commits.get(0).commit().cursor().compareTo(agreed) < 0) {
      commits.remove(0);
    }
  }

  /** The commits, rising. */
  public List<Commit> commits() {
    return commits.stream().map(Numbered::commit).toList();
  }
}
