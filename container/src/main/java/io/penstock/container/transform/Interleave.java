package io.penstock.container.transform;

/**
 * The transpose: from columns, each row after row, to rows, each column after column.
 *
 * <p>Written column by column, each row's cache line would be touched once for each column and
 * often be gone again in between. So some columns at a time are first laid out one after the other
 * in a tile that fits the first cache level, and then go to each row together, several columns to a
 * store.
 */
final class Interleave {
  /** How many columns are best taken at a time. */
  static final int COLUMNS = 8;

  /** How many columns are looked up in their dictionaries at a time. */
  static final int LOOK_UPS = 4;

  private Interleave() {}

  /**
   * Writes columns next to each other.
   *
   * @param tile column k's rows begin at {@code k * tileColumn}
   * @param columns how many
   * @param width bytes of one row of one column
   * @param at place in {@code out} of the first row's part
   * @param stride bytes from one row to the next in {@code out}
   */
  static void write(
      byte[] tile,
      int tileColumn,
      int columns,
      int rows,
      int width,
      byte[] out,
      int at,
      int stride) {
    int column = 0;
    if (width == 4) {
      for (; column + 8 <= columns; column += 8) {
        eightInts(tile, column * tileColumn, tileColumn, rows, out, at + column * 4, stride);
      }
      for (; column + 4 <= columns; column += 4) {
        fourInts(tile, column * tileColumn, tileColumn, rows, out, at + column * 4, stride);
      }
    } else if (width == 8) {
      for (; column + 4 <= columns; column += 4) {
        fourLongs(tile, column * tileColumn, tileColumn, rows, out, at + column * 8, stride);
      }
    } else if (width == 2) {
      for (; column + 4 <= columns; column += 4) {
        fourShorts(tile, column * tileColumn, tileColumn, rows, out, at + column * 2, stride);
      }
    } else if (width == 1) {
      for (; column + 8 <= columns; column += 8) {
        eightBytes(tile, column * tileColumn, tileColumn, rows, out, at + column, stride);
      }
    }
    for (; column < columns; column++) {
      one(tile, column * tileColumn, rows, width, out, at + column * width, stride);
    }
  }

  /** Writes eight columns of float32 next to each other, straight from the file's arrays. */
  static void write(float[][] eight, int from, int rows, byte[] out, int at, int stride) {
    write(
        eight[0], eight[1], eight[2], eight[3], eight[4], eight[5], eight[6], eight[7], from, rows,
        out, at, stride);
  }

  private static void write(
      float[] a,
      float[] b,
      float[] c,
      float[] d,
      float[] e,
      float[] f,
      float[] g,
      float[] h,
      int from,
      int rows,
      byte[] out,
      int at,
      int stride) {
    for (int row = from, place = at; row < from + rows; row++, place += stride) {
      Cast.LONG.set(out, place, pair(a[row], b[row]));
      Cast.LONG.set(out, place + 8, pair(c[row], d[row]));
      Cast.LONG.set(out, place + 16, pair(e[row], f[row]));
      Cast.LONG.set(out, place + 24, pair(g[row], h[row]));
    }
  }

  /** Writes a column of lists of float32, all of one length, straight from the file's array. */
  static void write(float[] lists, int from, int length, int rows, byte[] out, int at, int stride) {
    for (int row = 0, item = from, place = at; row < rows; row++, place += stride) {
      for (int k = 0; k < length; k++, item++) {
        Cast.INT.set(out, place + 4 * k, Float.floatToIntBits(lists[item]));
      }
    }
  }

  /**
   * Writes {@value #LOOK_UPS} columns next to each other, straight from the entries of their
   * dictionaries.
   *
   * @param ways that have looked for these rows
   * @param width bytes of an entry, 4 or 8
   */
  static void lookUp(DictionaryWay[] ways, int width, int rows, byte[] out, int at, int stride) {
    if (width == Integer.BYTES) {
      lookUpInts(ways[0], ways[1], ways[2], ways[3], rows, out, at, stride);
    } else {
      lookUpLongs(ways[0], ways[1], ways[2], ways[3], rows, out, at, stride);
    }
  }

  private static void lookUpInts(
      DictionaryWay first,
      DictionaryWay second,
      DictionaryWay third,
      DictionaryWay fourth,
      int rows,
      byte[] out,
      int at,
      int stride) {
    byte[] a = first.entries();
    byte[] b = second.entries();
    byte[] c = third.entries();
    byte[] d = fourth.entries();
    int[] inA = first.places();
    int[] inB = second.places();
    int[] inC = third.places();
    int[] inD = fourth.places();
    int toA = first.firstPlace();
    int toB = second.firstPlace();
    int toC = third.firstPlace();
    int toD = fourth.firstPlace();
    for (int row = 0, place = at; row < rows; row++, place += stride) {
      Cast.LONG.set(out, place, pair(a, 4 * inA[toA + row], b, 4 * inB[toB + row]));
      Cast.LONG.set(out, place + 8, pair(c, 4 * inC[toC + row], d, 4 * inD[toD + row]));
    }
  }

  private static void lookUpLongs(
      DictionaryWay first,
      DictionaryWay second,
      DictionaryWay third,
      DictionaryWay fourth,
      int rows,
      byte[] out,
      int at,
      int stride) {
    byte[] a = first.entries();
    byte[] b = second.entries();
    byte[] c = third.entries();
    byte[] d = fourth.entries();
    int[] inA = first.places();
    int[] inB = second.places();
    int[] inC = third.places();
    int[] inD = fourth.places();
    int toA = first.firstPlace();
    int toB = second.firstPlace();
    int toC = third.firstPlace();
    int toD = fourth.firstPlace();
    for (int row = 0, place = at; row < rows; row++, place += stride) {
      Cast.LONG.set(out, place, (long) Cast.LONG.get(a, 8 * inA[toA + row]));
      Cast.LONG.set(out, place + 8, (long) Cast.LONG.get(b, 8 * inB[toB + row]));
      Cast.LONG.set(out, place + 16, (long) Cast.LONG.get(c, 8 * inC[toC + row]));
      Cast.LONG.set(out, place + 24, (long) Cast.LONG.get(d, 8 * inD[toD + row]));
    }
  }

  private static long pair(float low, float high) {
    return Float.floatToIntBits(low) & 0xffffffffL | (long) Float.floatToIntBits(high) << 32;
  }

  private static long pair(byte[] tile, int low, int high) {
    return pair(tile, low, tile, high);
  }

  private static long pair(byte[] lows, int low, byte[] highs, int high) {
    return (int) Cast.INT.get(lows, low) & 0xffffffffL
        | (long) (int) Cast.INT.get(highs, high) << 32;
  }

  private static void eightInts(
      byte[] tile, int from, int step, int rows, byte[] out, int at, int stride) {
    for (int row = 0, a = from, place = at; row < rows; row++, a += 4, place += stride) {
      Cast.LONG.set(out, place, pair(tile, a, a + step));
      Cast.LONG.set(out, place + 8, pair(tile, a + 2 * step, a + 3 * step));
      Cast.LONG.set(out, place + 16, pair(tile, a + 4 * step, a + 5 * step));
      Cast.LONG.set(out, place + 24, pair(tile, a + 6 * step, a + 7 * step));
    }
  }

  private static void fourInts(
      byte[] tile, int from, int step, int rows, byte[] out, int at, int stride) {
    for (int row = 0, a = from, place = at; row < rows; row++, a += 4, place += stride) {
      Cast.LONG.set(out, place, pair(tile, a, a + step));
      Cast.LONG.set(out, place + 8, pair(tile, a + 2 * step, a + 3 * step));
    }
  }

  private static void fourLongs(
      byte[] tile, int from, int step, int rows, byte[] out, int at, int stride) {
    for (int row = 0, a = from, place = at; row < rows; row++, a += 8, place += stride) {
      Cast.LONG.set(out, place, (long) Cast.LONG.get(tile, a));
      Cast.LONG.set(out, place + 8, (long) Cast.LONG.get(tile, a + step));
      Cast.LONG.set(out, place + 16, (long) Cast.LONG.get(tile, a + 2 * step));
      Cast.LONG.set(out, place + 24, (long) Cast.LONG.get(tile, a + 3 * step));
    }
  }

  private static void fourShorts(
      byte[] tile, int from, int step, int rows, byte[] out, int at, int stride) {
    for (int row = 0, a = from, place = at; row < rows; row++, a += 2, place += stride) {
      long four =
          (short) Cast.SHORT.get(tile, a) & 0xffffL
              | ((short) Cast.SHORT.get(tile, a + step) & 0xffffL) << 16
              | ((short) Cast.SHORT.get(tile, a + 2 * step) & 0xffffL) << 32
              | (long) (short) Cast.SHORT.get(tile, a + 3 * step) << 48;
      Cast.LONG.set(out, place, four);
    }
  }

  private static void eightBytes(
      byte[] tile, int from, int step, int rows, byte[] out, int at, int stride) {
    for (int row = 0, a = from, place = at; row < rows; row++, a++, place += stride) {
      long eight = 0;
      for (int k = 0, b = a; k < Long.SIZE; k += Byte.SIZE, b += step) {
        eight |= (tile[b] & 0xffL) << k;
      }
      Cast.LONG.set(out, place, eight);
    }
  }

  private static void one(
      byte[] tile, int from, int rows, int width, byte[] out, int at, int stride) {
    int place = at;
    switch (width) {
      case 1 -> {
        for (int row = 0; row < rows; row++, place += stride) {
          out[place] = tile[from + row];
        }
      }
      case 2 -> {
        for (int row = 0; row < rows; row++, place += stride) {
          Cast.SHORT.set(out, place, (short) Cast.SHORT.get(tile, from + 2 * row));
        }
      }
      case 4 -> {
        for (int row = 0; row < rows; row++, place += stride) {
          Cast.INT.set(out, place, (int) Cast.INT.get(tile, from + 4 * row));
        }
      }
      case 8 -> {
        for (int row = 0; row < rows; row++, place += stride) {
          Cast.LONG.set(out, place, (long) Cast.LONG.get(tile, from + 8 * row));
        }
      }
      default -> {
        for (int row = 0; row < rows; row++, place += stride) {
          System.arraycopy(tile, from + width * row, out, place, width);
        }
      }
    }
  }
}
