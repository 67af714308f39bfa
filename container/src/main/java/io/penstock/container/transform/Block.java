package io.penstock.container.transform;

import io.penstock.container.tensors.Values;
import java.util.Arrays;

/**
 * Scratch space for a run of a column's cells: small enough to stay in the first cache level while
 * step after step goes over it. Each transformer has its own; its arrays grow and are never freed.
 *
 * <p>Only the array that belongs to {@link #form} means something: {@link #wholes} for whole
 * numbers, {@link #floats} for floats, {@link #refs} for bytes. A cell that is null holds 0 when it
 * is loaded and after that whatever the steps make of it; no step may fail on it.
 */
final class Block {
  /** The cell had a value in the file. */
  static final byte VALUE = 0;

  /** The cell got its value from {@code fill} or {@code pad}. */
  static final byte FILLED = 1;

  /** The cell has no value. */
  static final byte NULL = 2;

  Form form = Form.WHOLE;
  int size;
  long[] wholes = new long[0];
  double[] floats = new double[0];

  /** Item of {@link #bytes}, or -1 - k for constant k of {@link #constants}. */
  int[] refs = new int[0];

  Values.Bytes bytes;
  byte[][] constants = new byte[0][];

  /** By cell; without meaning unless {@link #stated}. */
  byte[] states = new byte[0];

  /** Whether some cell may be other than {@link #VALUE}. */
  boolean stated;

  /** Makes room; contents are undefined afterwards. */
  void reset(Form newForm, int newSize) {
    size = newSize;
    stated = false;
    become(newForm);
  }

  /** Sets all values to 0. */
  void clear() {
    switch (form) {
      case WHOLE, UNSIGNED -> Arrays.fill(wholes, 0, size, 0);
      case FLOAT -> Arrays.fill(floats, 0, size, 0);
      case BYTES -> Arrays.fill(refs, 0, size, 0);
    }
  }

  /** Changes the form and makes room for it; {@link #size} and the states stay. */
  void become(Form newForm) {
    form = newForm;
    switch (newForm) {
      case WHOLE, UNSIGNED -> {
        if (wholes.length < size) {
          wholes = new long[capacity()];
        }
      }
      case FLOAT -> {
        if (floats.length < size) {
          floats = new double[capacity()];
        }
      }
      case BYTES -> {
        if (refs.length < size) {
          refs = new int[capacity()];
        }
      }
    }
  }

  /** Begins to keep states: all cells have values. */
  void state() {
    if (!stated) {
      if (states.length < size) {
        states = new byte[capacity()];
      } else {
        Arrays.fill(states, 0, size, VALUE);
      }
      stated = true;
    }
  }

  boolean isNull(int cell) {
    return stated && states[cell] == NULL;
  }

  byte[] data(int cell) {
    int ref = refs[cell];
    return ref >= 0 ? bytes.data() : constants[-1 - ref];
  }

  int start(int cell) {
    int ref = refs[cell];
    return ref >= 0 ? bytes.offsets()[ref] : 0;
  }

  int length(int cell) {
    int ref = refs[cell];
    return ref >= 0 ? bytes.offsets()[ref + 1] - bytes.offsets()[ref] : constants[-1 - ref].length;
  }

  /** The value of a cell for messages. */
  String text(int cell) {
    return switch (form) {
      case WHOLE -> Long.toString(wholes[cell]);
      case UNSIGNED -> Long.toUnsignedString(wholes[cell]);
      case FLOAT -> Double.toString(floats[cell]);
      case BYTES -> length(cell) + " bytes";
    };
  }

  private int capacity() {
    return Math.max(1024, size + size / 4);
  }
}
