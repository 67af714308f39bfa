package io.penstock.model;

import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * How many consumers a feed may have: W is one of {@code min..max} that divides the batch.
 *
 * @param min the fewest, &gt;= 1
 * @param max the most, and what is wanted; equal to {@code min} where the number is fixed
 */
public record RankRange(int min, int max) {
  private static final Pattern TEXT = Pattern.compile("([0-9]{1,9})(?::([0-9]{1,9}))?");

  public RankRange {
    if (min < 1 || max < min) {
      throw new UsageException("must be 1 <= min <= max: ranks=" + min + ":" + max);
    }
  }

  /** Of one number. */
  public static RankRange of(int ranks) {
    return new RankRange(ranks, ranks);
  }

  /**
   * Reads {@code N} or {@code MIN:MAX}.
   *
   * @throws UsageException if it is neither
   */
  public static RankRange parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new UsageException("must be N or MIN:MAX: --ranks=" + text);
    }
    int first = Integer.parseInt(matcher.group(1));
    return matcher.group(2) == null
        ? of(first)
        : new RankRange(first, Integer.parseInt(matcher.group(2)));
  }

  /** Whether there is nothing to choose. */
  public boolean fixed() {
    return min == max;
  }

  /** The numbers that divide the batch, rising. */
  public List<Integer> dividing(int batch) {
    return IntStream.rangeClosed(min, Math.min(max, batch))
        .filter(ranks -> batch % ranks == 0)
        .boxed()
        .toList();
  }

  /**
   * Checks that the number that is wanted divides the global batch; so one of the range does.
   *
   * @throws UsageException if it does not; the message names those that do
   */
  public void check(int batch) {
    if (fixed()) {
      RankSlice.check(max, batch);
    } else if (batch % max != 0) {
      throw new UsageException(
          "the most ranks must divide batch: ranks=%s batch=%d; of %d..%d these do: %s"
              .formatted(this, batch, min, max, dividing(batch)));
    }
  }

  /**
   * The number for as many containers as there are: {@code max} if they are enough; else the
   * greatest that divides batch and lanes; else the greatest that divides the batch.
   *
   * @param available containers
   * @param batch rows of the global batch, which {@code max} divides
   * @param lanes of the feed
   * @return empty if there are too few
   */
  public OptionalInt choose(int available, int batch, int lanes) {
    if (available >= max) {
      return OptionalInt.of(max);
    }
    List<Integer> possible = dividing(batch).stream().filter(ranks -> ranks <= available).toList();
    OptionalInt best = possible.stream().filter(ranks -> lanes % ranks == 0).mapToInt(n -> n).max();
    return best.isPresent() ? best : possible.stream().mapToInt(n -> n).max();
  }

  /** {@code N} or {@code MIN:MAX}. */
  @Override
  public String toString() {
    return fixed() ? Integer.toString(max) : min + ":" + max;
  }
}
