package io.penstock.container.decode;

import static io.penstock.container.decode.CorruptException.check;

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
    byte[] repetitions = scratch.repetitions(entries);
    byte[] definitions = scratch.definitions(entries);
    levels.repetitions(depth, repetitions, entries, scratch.hybrid);
    long seen = levels.definitions(maxDefinition, definitions, entries, scratch.hybrid);
    reserve(0, Math.min((long) counts[0] + entries, rows));
    for (int k = 1; k < depth; k++) {
      reserve(k, (long) counts[k] + entries);
    }
    int before = items.size();
    int element = elementLevels[depth - 1];
    long simple = 1L << maxDefinition | 1L << element - 1;
    if (entries == 0) {
      present = 0;
    } else if (depth == 1 && maxDefinition < 63 && (seen & ~simple) == 0) {
      readPlainLists(repetitions, definitions, entries, element);
      present = items.size() - before;
    } else {
      present = readAny(repetitions, definitions, entries);
    }
    places = items.size() - before;
  }

  /** Lists of depth 1 of which none is null, with items of which none is null. */
  private void readPlainLists(byte[] repetitions, byte[] definitions, int entries, int element) {
    int[] starts = offsets[0];
    int lists = counts[0];
    int begun = lists;
    int item = items.size();
    int first = item;
    check(
        repetitions[0] == 0 || reached == 1, "an entry that continues a list where there is none");
    int orphans = 0;
    int before = 1;
    for (int k = 0; k < entries; k++) {
      int begins = repetitions[k] ^ 1;
      int has = (definitions[k] & 0xff) >= element ? 1 : 0;
      // Written at every entry, kept where a list begins.
      starts[lists] = item;
      lists += begins;
      item += has;
      // A continued list must have had an element before, and get one.
      orphans |= (begins ^ 1) & ((has & before) ^ 1);
      before = has;
    }
    check(orphans == 0, "an entry that continues a list where there is none");
    reached = before;
    counts[0] = lists;
    validity[0].appendValid(lists - begun);
    items.appendValid(item - first);
  }

  private int readAny(byte[] repetitions, byte[] definitions, int entries) {
    int values = 0;
    for (int k = 0; k < entries; k++) {
      int level = repetitions[k];
      int definition = definitions[k] & 0xff;
      if (level > reached && level != 0 || level > 0 && definition < elementLevels[level - 1]) {
        throw new CorruptException("an entry that continues a list where there is none");
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
