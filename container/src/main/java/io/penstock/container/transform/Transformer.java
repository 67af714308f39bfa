package io.penstock.container.transform;

import io.penstock.container.tensors.BlockPool;
import io.penstock.container.tensors.RowGroupColumns;
import io.penstock.container.tensors.RowGroupTensors;
import io.penstock.model.DataException;
import io.penstock.model.RowGroupRef;
import io.penstock.model.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes tensors of row groups on one worker thread, in scratch buffers that it keeps. Not
 * thread-safe.
 */
public final class Transformer implements AutoCloseable {
  private final List<TensorSpec> specs;
  private final PartitionColumns partitions;
  private final BlockPool pool;
  private final List<TensorRun> runs = new ArrayList<>();

  Transformer(
      List<TensorPlan> plans,
      List<TensorSpec> specs,
      PartitionColumns partitions,
      UserCode userCode,
      BlockPool pool) {
    this.pool = pool;
    this.specs = specs;
    this.partitions = partitions;
    Scratch scratch = new Scratch();
    try {
      for (TensorPlan plan : plans) {
        runs.add(new TensorRun(plan, scratch, userCode));
      }
    } catch (RuntimeException e) {
      try {
        close();
      } catch (RuntimeException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }

  /**
   * Makes the tensors of one row group.
   *
   * @param columns in the order of {@link io.penstock.feed.BoundFeed#fileColumns()}; decoded a few
   *     at a time, again for each tensor that has one; read until this returns
   * @param partitionValues of the file, decoded, by hive key; an empty one is null
   * @return blocks from the pool, free of scratch buffers
   * @throws DataException if a value breaks the feed; its message names file, row group, column and
   *     row, the constraint and the value
   */
  public RowGroupTensors apply(
      RowGroupRef at, RowGroupColumns columns, Map<String, Optional<String>> partitionValues) {
    byte[][] blocks = new byte[specs.size()][];
    try {
      int next = 0;
      for (TensorRun run : runs) {
        byte[] block = blocks[next] = block(at, specs.get(next));
        next++;
        byte[] mask = null;
        if (run.masked()) {
          mask = blocks[next] = block(at, specs.get(next));
          next++;
        }
        run.apply(at, columns, partitions, partitionValues, block, mask);
      }
    } catch (RuntimeException e) {
      pool.giveBack(blocks);
      throw e;
    }
    return RowGroupTensors.of(at.rows(), specs, blocks);
  }

  private byte[] block(RowGroupRef at, TensorSpec spec) {
    long bytes = (long) at.rows() * spec.rowBytes();
    if (bytes > Integer.MAX_VALUE - 8) {
      throw new DataException(
          DataException.Place.of(at),
          "a row group must take < 2^31 bytes in each tensor: tensor="
              + spec.name()
              + " rows="
              + at.rows()
              + " bytes="
              + bytes);
    }
    return pool.take((int) bytes);
  }

  /** Closes user code. */
  @Override
  public void close() {
    RuntimeException first = null;
    for (int i = runs.size() - 1; i >= 0; i--) {
      try {
        runs.get(i).close();
      } catch (RuntimeException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    runs.clear();
    if (first != null) {
      throw first;
    }
  }
}
