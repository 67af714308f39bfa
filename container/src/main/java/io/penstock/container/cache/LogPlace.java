package io.penstock.container.cache;

/**
 * Where a part of a tensor lies in JE's log.
 *
 * @param file number of the log file
 * @param offset of the part's first byte in it
 * @param length bytes
 * @param checksum CRC-32C of them
 */
record LogPlace(int file, int offset, int length, int checksum) {
  /** What it takes in a {@link StoredRowGroup}. */
  static final int BYTES = 4 * Integer.BYTES;
}
