package io.penstock.container.transform;

/** Blocks that all columns of one transformer use in turn. */
final class Scratch {
  final Block bytes = new Block();
  final Block items = new Block();
  final Block cells = new Block();

  private int[] places = new int[0];
  private byte[] tile = new byte[0];
  private byte[] maskTile = new byte[0];

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
