package io.penstock.container.transform;

import io.penstock.feed.Op;
import io.penstock.model.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Ops on a column's items, from the form in which they are loaded or decoded to the last one.
 *
 * @param before on the items as they are
 * @param padding then
 * @param after on the cells of the padded shape; nothing without {@code pad}
 */
record ItemOps(Steps before, Optional<Padding> padding, Steps after, NullLists nullLists) {
  /**
   * @param ops of values, and at most one {@code pad}
   * @param axes how many list axes the items have
   * @throws UsageException if an op does not take what it would get
   */
  static ItemOps compile(
      List<Op> ops, String path, Form form, int axes, Vocabularies vocabularies) {
    int split = 0;
    while (split < ops.size() && !(ops.get(split) instanceof Op.Pad)) {
      split++;
    }
    Steps before = StepCompiler.compile(ops.subList(0, split), path, form, vocabularies, List.of());
    if (split == ops.size()) {
      return new ItemOps(
          before,
          Optional.empty(),
          new Steps(List.of(), before.out(), before.constants()),
          fills(ops) ? NullLists.REFUSED : NullLists.NULL);
    }
    Op.Pad pad = (Op.Pad) ops.get(split);
    List<Op> rest = ops.subList(split + 1, ops.size());
    if (rest.stream().anyMatch(Op.Pad.class::isInstance)) {
      throw new UsageException("pad must be used once: column=" + path);
    }
    if (pad.lengths().size() != axes) {
      throw new UsageException(
          "pad must have one length for each of "
              + axes
              + " axes: length="
              + pad.lengths()
              + " column="
              + path);
    }
    List<byte[]> withPad = new ArrayList<>(before.constants());
    Constant value = StepCompiler.constant(pad, pad.value(), path, before.out(), withPad);
    Steps after = StepCompiler.compile(rest, path, value.form(), vocabularies, withPad);
    NullLists nullLists = NullLists.NULL;
    if (fills(ops.subList(0, split))) {
      nullLists = NullLists.EMPTY;
    } else if (fills(rest)) {
      nullLists = NullLists.REFUSED;
    }
    return new ItemOps(before, Optional.of(new Padding(pad.lengths(), value)), after, nullLists);
  }

  private static boolean fills(List<Op> ops) {
    return ops.stream().anyMatch(Op.Fill.class::isInstance);
  }

  /** Whether nothing happens to values if all are there and no list needs another length. */
  boolean idleWithoutNulls() {
    return before.idleWithoutNulls()
        && after.idleWithoutNulls()
        && padding.flatMap(pad -> pad.value().conversion()).isEmpty();
  }

  /** Bytes that steps refer to, for the block. */
  byte[][] constants() {
    return after.constants().toArray(byte[][]::new);
  }
}
