package io.penstock.container.transform;

import java.util.ArrayList;
import java.util.List;

/** Blocks that all columns of one transformer use in turn. */
final class Scratch {
  final Block bytes = new Block();
  final Block items = new Block();
  final Block cells = new Block();

  private final List<Entries> entries = new ArrayList<>();
  private int[] places = new int[0];
  private byte[] tile = new byte[0];
  private byte[] maskTile = new byte[0];

  /** Bytes of a column's dictionary entries, which are good while the column is at hand. */
  static final class Entries {
    byte[] bytes = new byte[0];
  }

  /** For the entries of the columns that are at hand together. */
  Entries entries(int slot) {
    while (entries.size() <= slot) {
      entries.add(new Entries());
    }
    return entries.get(slot);
  }

  /** For dictionary places by cell. */
  int[] places(int count) {
    if (places.length < count) {
      places = new int[count + count / 4];
    }
    return places;
  }

  /** For columns that are about to lie side by side. */
  byte[] tile(int bytes) {
    if (tile.length < bytes) {
      tile = new byte[bytes];
    }
    return tile;
  }

  /** The same for masks. */
  byte[] maskTile(int bytes) {
    if (maskTile.length < bytes) {
      maskTile = new byte[bytes];
    }
    return maskTile;
  }
}
