package io.penstock.cli.past;

import io.penstock.history.Block;
import io.penstock.model.Digest128;
import java.util.ArrayList;
import java.util.List;

/**
 * The same steps of two jobs.
 *
 * @param one sums of the first job
 * @param other of the second
 */
public record BlockPair(Block one, Block other) {
  /**
   * The shortest stretches of steps that both jobs have sums of, rising. Jobs may have blocks of
   * different lengths and other commits.
   */
  public static List<BlockPair> of(List<Block> ones, List<Block> others) {
    List<BlockPair> pairs = new ArrayList<>();
    int i = 0;
    int j = 0;
    while (i < ones.size() && j < others.size()) {
      Block one = ones.get(i);
      Block other = others.get(j);
      if (one.from() != other.from()) {
        if (one.from() < other.from()) {
          i++;
        } else {
          j++;
        }
        continue;
      }
      i++;
      j++;
      boolean whole = true;
      while (whole && one.to() != other.to()) {
        if (one.to() < other.to()) {
          whole = i < ones.size() && ones.get(i).from() == one.to();
          one = whole ? joined(one, ones.get(i++)) : one;
        } else {
          whole = j < others.size() && others.get(j).from() == other.to();
          other = whole ? joined(other, others.get(j++)) : other;
        }
      }
      if (whole) {
        pairs.add(new BlockPair(one, other));
      }
    }
    return pairs;
  }

  private static Block joined(Block first, Block second) {
    return new Block(first.epoch(), first.from(), second.to(), first.sums().plus(second.sums()));
  }

  public boolean ordersEqual() {
    return one.sums().order().equals(other.sums().order());
  }

  /** Whether the values are the same, as far as both jobs have digests of them. */
  public boolean valuesEqual() {
    return valuesEqual(one.sums().values(), other.sums().values());
  }

  /** Whether two values digests are the same; one that was switched off is zero. */
  public static boolean valuesEqual(Digest128 one, Digest128 other) {
    return one.equals(Digest128.ZERO) || other.equals(Digest128.ZERO) || one.equals(other);
  }
}
