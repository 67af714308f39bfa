package io.penstock.container.transform;

/** How one column of the row group at hand becomes bytes. */
interface Way {
  /**
   * Writes rows {@code from} up to {@code to}, number by number.
   *
   * @param out with anything in it
   * @param at place of the first number
   * @param mask one byte for each number, or null if the tensor has no mask
   * @param maskAt place of the first byte
   * @throws io.penstock.model.DataException if a value breaks the feed
   */
  void write(int from, int to, byte[] out, int at, byte[] mask, int maskAt);
}
