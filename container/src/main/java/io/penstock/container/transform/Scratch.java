package io.penstock.container.transform;

/** Blocks that all columns of one transformer use in turn. */
final class Scratch {
  final Block bytes = new Block();
  final Block items = new Block();
  final Block cells = new Block();

  /** Dictionary places by cell. */
  int[] places = new int[0];

  int[] places(int count) {
    if (places.length < count) {
      places = new int[count + count / 4];
    }
    return places;
  }
}
