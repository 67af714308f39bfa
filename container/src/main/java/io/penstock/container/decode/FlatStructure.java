package io.penstock.container.decode;

import io.penstock.catalog.LeafColumn;
import io.penstock.container.tensors.Column.ListLevel;
import java.util.List;
import org.apache.parquet.format.Encoding;

/** A column without lists: one entry, one item, one row. */
final class FlatStructure extends Structure {
  private int maxDefinition;

  @Override
  void begin(LeafColumn leaf, int rows) {
    items.clear();
    maxDefinition = leaf.maxDefinition();
  }

  @Override
  void read(Levels levels, int entries, Scratch scratch) {
    places = entries;
    if (maxDefinition == 0) {
      items.appendValid(entries);
      present = entries;
    } else if (maxDefinition == 1 && levels.definitionEncoding() != Encoding.BIT_PACKED) {
      scratch.hybrid.begin(levels.in(), levels.definitionAt(), levels.definitionEnd(), 1);
      present = scratch.hybrid.readFlags(items, entries);
    } else {
      byte[] definitions = scratch.definitions(entries);
      long seen = levels.definitions(maxDefinition, definitions, entries, scratch.hybrid);
      if (seen == 1L << maxDefinition) {
        items.appendValid(entries);
        present = entries;
      } else if (Long.bitCount(seen) <= 1) {
        items.appendNull(entries);
        present = 0;
      } else {
        present = items.appendLevels(definitions, 0, entries, maxDefinition);
      }
    }
  }

  @Override
  int rows() {
    return items.size();
  }

  @Override
  List<ListLevel> lists() {
    return List.of();
  }
}
