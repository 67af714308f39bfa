package io.penstock.container.decode;

import java.util.zip.CRC32;

/** What one worker needs while it decodes a page; lives on from page to page. */
final class Scratch implements AutoCloseable {
  final Hybrid hybrid = new Hybrid();
  final Delta delta = new Delta();
  final CRC32 crc = new CRC32();
  final Decompressor decompressor = new Decompressor();

  private byte[] page = new byte[0];
  private int[] indices = new int[0];
  private long[] longs = new long[0];
  private long[] moreLongs = new long[0];
  private byte[] definitions = new byte[0];
  private byte[] repetitions = new byte[0];

  /** Room for a decompressed page. */
  byte[] page(int bytes) {
    if (page.length < bytes) {
      page = new byte[Capacity.grown(page.length, bytes)];
    }
    return page;
  }

  int[] indices(int count) {
    if (indices.length < count) {
      indices = new int[Capacity.grown(indices.length, count)];
    }
    return indices;
  }

  long[] longs(int count) {
    if (longs.length < count) {
      longs = new long[Capacity.grown(longs.length, count)];
    }
    return longs;
  }

  long[] moreLongs(int count) {
    if (moreLongs.length < count) {
      moreLongs = new long[Capacity.grown(moreLongs.length, count)];
    }
    return moreLongs;
  }

  /** Room for levels, and {@link Hybrid#SLACK} more. */
  byte[] definitions(int count) {
    if (definitions.length < count + Hybrid.SLACK) {
      definitions = new byte[Capacity.grown(definitions.length, (long) count + Hybrid.SLACK)];
    }
    return definitions;
  }

  /** Room for levels, and {@link Hybrid#SLACK} more. */
  byte[] repetitions(int count) {
    if (repetitions.length < count + Hybrid.SLACK) {
      repetitions = new byte[Capacity.grown(repetitions.length, (long) count + Hybrid.SLACK)];
    }
    return repetitions;
  }

  @Override
  public void close() {
    decompressor.close();
  }
}
