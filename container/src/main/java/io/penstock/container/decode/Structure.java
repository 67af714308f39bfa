package io.penstock.container.decode;

import io.penstock.catalog.LeafColumn;
import io.penstock.container.tensors.Column.ListLevel;
import java.util.List;

/** What the levels of a chunk's pages say: rows, lists, and which items are null. */
abstract class Structure {
  /** The items so far. */
  final Validity items = new Validity();

  /** Items of the page read last, nulls included. */
  int places;

  /** Items of the page read last that are not null, so that it has a value for each. */
  int present;

  /**
   * Begins a chunk.
   *
   * @param rows how many it should have
   */
  abstract void begin(LeafColumn leaf, int rows);

  /**
   * Reads the levels of one page.
   *
   * @param entries how many the page has
   */
  abstract void read(Levels levels, int entries, Scratch scratch);

  /** Rows so far. */
  abstract int rows();

  /** The list levels of the whole chunk; called once, at its end. */
  abstract List<ListLevel> lists();
}
