package io.penstock.container.decode;

import io.penstock.catalog.LeafColumn;
import io.penstock.container.tensors.Column.ListLevel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A column of lists.
 *
 * <h2>How entries become offsets</h2>
 *
 * An entry with repetition level r adds an element to list level r - 1 (to the rows for r = 0), and
 * so begins one list on level r and on each below that it reaches; its definition level says how
 * far it reaches: to a null or empty list, or to an item. The number of items so far, or of lists
 * on the level below, is the offset of a list that begins. State lives on from page to page, so a
 * page may begin in the middle of a list.
 */
final class ListStructure extends Structure {
  private static final long ONES = 0x0101010101010101L;

  private int depth;
  private int maxDefinition;
  private int[] elementLevels = new int[0];
  private int[][] offsets = new int[0][];
  private int[] counts = new int[0];
  private Validity[] validity = new Validity[0];
  private int reached;
  private int rows;

  @Override
  void begin(LeafColumn leaf, int rows) {
    items.clear();
    this.rows = rows;
    depth = leaf.lists().size();
    maxDefinition = leaf.maxDefinition();
    if (offsets.length < depth) {
      int known = offsets.length;
      offsets = Arrays.copyOf(offsets, depth);
      counts = new int[depth];
      elementLevels = new int[depth];
      validity = Arrays.copyOf(validity, depth);
      for (int k = known; k < depth; k++) {
        offsets[k] = new int[1];
        validity[k] = new Validity();
      }
    }
    for (int k = 0; k < depth; k++) {
      counts[k] = 0;
      validity[k].clear();
      elementLevels[k] = leaf.lists().get(k).elementLevel();
    }
    reached = -1;
  }

  @Override
  void read(Levels levels, int entries, Scratch scratch) {
    if (entries == 0) {
      places = 0;
      present = 0;
      return;
    }
    byte[] definitions = scratch.definitions(entries);
    long seen = levels.definitions(maxDefinition, definitions, entries, scratch.hybrid);
    reserve(0, Math.min((long) counts[0] + entries, rows));
    for (int k = 1; k < depth; k++) {
      reserve(k, (long) counts[k] + entries);
    }
    if (depth == 1 && seen == 1L << maxDefinition && levels.repetitionsInRuns()) {
      readFull(levels, entries, scratch.hybrid);
      return;
    }
    byte[] repetitions = scratch.repetitions(entries);
    long repetitionsSeen = levels.repetitions(depth, repetitions, entries, scratch.hybrid);
    fillIfSingle(repetitionsSeen, repetitions, entries);
    int before = items.size();
    if (depth == 1) {
      present = readMostlyFull(repetitions, fillIfSingle(seen, definitions, entries), entries);
    } else {
      present = readAny(repetitions, fillIfSingle(seen, definitions, entries), 0, entries);
    }
    places = items.size() - before;
  }

  /** A single level has not been written out. */
  private static byte[] fillIfSingle(long seen, byte[] levels, int entries) {
    if (Long.bitCount(seen) == 1) {
      Arrays.fill(levels, 0, entries, (byte) Long.numberOfTrailingZeros(seen));
    }
    return levels;
  }

  /**
   * A page of entries that all have a value, in lists of depth 1: a list begins wherever a
   * repetition level is 0.
   */
  private void readFull(Levels levels, int entries, Hybrid hybrid) {
    int first = items.size();
    int lists = levels.beginnings(offsets[0], counts[0], first, entries, hybrid);
    if (reached != 1 && (lists == 0 || offsets[0][counts[0]] != first)) {
      throw orphan();
    }
    validity[0].appendValid(lists);
    counts[0] += lists;
    items.appendValid(entries);
    reached = 1;
    places = entries;
    present = entries;
  }

  /**
   * Entries that all have a value, in lists of depth 1: a list begins wherever a repetition level
   * is 0. Eight levels are looked at at a time.
   */
  private int readFull(byte[] repetitions, int from, int to) {
    if (repetitions[from] != 0 && reached != 1) {
      throw orphan();
    }
    int first = items.size() - from;
    int k = from;
    int lists = counts[0];
    int[] starts = offsets[0];
    for (; k + 8 <= to; k += 8) {
      long begins = ~LittleEndian.longAt(repetitions, k) & ONES;
      while (begins != 0) {
        starts[lists++] = first + k + (Long.numberOfTrailingZeros(begins) >>> 3);
        begins &= begins - 1;
      }
    }
    for (; k < to; k++) {
      if (repetitions[k] == 0) {
        starts[lists++] = first + k;
      }
    }
    validity[0].appendValid(lists - counts[0]);
    counts[0] = lists;
    items.appendValid(to - from);
    reached = 1;
    return to - from;
  }

  /** Lists of depth 1: stretches of entries that all have a value, and what lies between them. */
  private int readMostlyFull(byte[] repetitions, byte[] definitions, int entries) {
    long full = maxDefinition * ONES;
    int values = 0;
    int k = 0;
    while (k < entries) {
      int from = k;
      while (k + 8 <= entries && LittleEndian.longAt(definitions, k) == full) {
        k += 8;
      }
      if (k > from) {
        values += readFull(repetitions, from, k);
      }
      int until = Math.min(k + 8, entries);
      values += readAny(repetitions, definitions, k, until);
      k = until;
    }
    return values;
  }

  private static CorruptException orphan() {
    return new CorruptException("an entry that continues a list where there is none");
  }

  private int readAny(byte[] repetitions, byte[] definitions, int from, int to) {
    int values = 0;
    for (int k = from; k < to; k++) {
      int level = repetitions[k];
      int definition = definitions[k] & 0xff;
      if (level > reached && level != 0 || level > 0 && definition < elementLevels[level - 1]) {
        throw orphan();
      }
      while (level < depth) {
        offsets[level][counts[level]] = level + 1 < depth ? counts[level + 1] : items.size();
        counts[level]++;
        validity[level].append(definition >= elementLevels[level] - 1);
        if (definition < elementLevels[level]) {
          break;
        }
        level++;
      }
      reached = level;
      if (level == depth) {
        boolean valid = definition == maxDefinition;
        items.append(valid);
        values += valid ? 1 : 0;
      }
    }
    return values;
  }

  private void reserve(int level, long lists) {
    if (offsets[level].length < lists + 1) {
      offsets[level] =
          Arrays.copyOf(offsets[level], Capacity.grown(offsets[level].length, lists + 1));
    }
  }

  @Override
  int rows() {
    return counts[0];
  }

  @Override
  List<ListLevel> lists() {
    List<ListLevel> result = new ArrayList<>(depth);
    for (int k = 0; k < depth; k++) {
      offsets[k][counts[k]] = k + 1 < depth ? counts[k + 1] : items.size();
      result.add(new ListLevel(counts[k], offsets[k], validity[k].orNull()));
    }
    return result;
  }
}
