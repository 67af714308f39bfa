package io.penstock.container.transform;

/** Bytes that hold a whole array. Immutable; shared by all workers. */
interface ArrayDecoder {
  /**
   * Puts the array's numbers, row-major, into the block, of which it sets form and size.
   *
   * @return the array's shape
   * @throws CellFailure if the bytes are no such array; the cell means nothing
   */
  int[] decode(byte[] data, int start, int length, Block into);
}
