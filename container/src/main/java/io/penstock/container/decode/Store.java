package io.penstock.container.decode;

import org.apache.parquet.format.Encoding;

/** The values of a column chunk as they are stored, appended page by page to an array. */
abstract class Store {
  /** How many values there are, places of nulls included. */
  int size;

  void clear() {
    size = 0;
  }

  /** Makes room for {@code count} values in all. */
  abstract void reserve(long count);

  /**
   * Appends the values of a page.
   *
   * @param count values, nulls not among them
   * @throws CorruptException if the bytes do not hold that many, or this type has no such encoding
   */
  abstract void append(Encoding encoding, byte[] in, int at, int end, int count, Scratch scratch);

  /** Appends entries of a dictionary of the same class. */
  abstract void gather(Store dictionary, int[] indices, int count);

  /**
   * Spreads the last values over more places.
   *
   * @param valid which of the places {@code from} to {@code from + places} has a value
   * @param from where the values to spread begin
   */
  abstract void spread(boolean[] valid, int from, int places);

  /**
   * Spreads the last values over more places, from the end, stretch by stretch.
   *
   * @param array with room for the places
   * @param width of a value, in elements of the array
   */
  final void spread(Object array, int width, boolean[] valid, int from, int places) {
    int source = size;
    int place = from + places;
    size = place;
    while (source < place) { // else the rest lies where it should
      while (place > from && !valid[place - 1]) {
        place--;
      }
      int end = place;
      while (place > from && valid[place - 1]) {
        place--;
      }
      source -= end - place;
      System.arraycopy(array, source * width, array, place * width, (end - place) * width);
    }
  }

  static CorruptException notSupported(Encoding encoding, String type) {
    return new CorruptException("encoding " + encoding + " of " + type + " is not supported");
  }

  /** Checks that a page has bytes for its values of a fixed width, before room is made for them. */
  static void checkBytes(int at, int end, long count, int width) {
    if (count * width > end - at) {
      throw new CorruptException(
          "it has " + (end - at) + " bytes for " + count + " values of " + width + " bytes");
    }
  }

  /** Whether entries are better kept as dictionary than copied out of it. */
  boolean keepsDictionary() {
    return false;
  }
}
