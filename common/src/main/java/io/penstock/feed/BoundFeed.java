package io.penstock.feed;

import io.penstock.model.ColumnSchema;
import io.penstock.model.TensorSpec;
import io.penstock.model.UsageException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A feed with the columns of a dataset: which columns are read, and what a batch holds.
 *
 * @param tensors in the feed's order
 */
public record BoundFeed(Feed feed, List<BoundTensor> tensors) {
  public BoundFeed {
    Objects.requireNonNull(feed, "feed");
    tensors = List.copyOf(tensors);
  }

  /**
   * Finds the feed's columns in a schema and works out the shape of each tensor.
   *
   * @param schema columns of the catalog's first file in schema order, hive columns last; a column
   *     of a struct is there by its leaf's path, not top-level, right after its struct
   * @throws UsageException with all errors at once, a line each: {@code source:line: message}
   */
  public static BoundFeed bind(Feed feed, List<ColumnSchema> schema) {
    return Binder.bind(feed, schema);
  }

  /** What a batch holds: each tensor, its mask right after it. */
  public List<TensorSpec> specs() {
    List<TensorSpec> specs = new ArrayList<>();
    for (BoundTensor tensor : tensors) {
      specs.add(tensor.spec());
      tensor.mask().ifPresent(specs::add);
    }
    return List.copyOf(specs);
  }

  /** Paths of the columns to read from files, each once, in order of first use. */
  public List<String> fileColumns() {
    Set<String> paths = new LinkedHashSet<>();
    for (BoundTensor tensor : tensors) {
      for (BoundColumn column : tensor.columns()) {
        if (!column.partition()) {
          paths.add(column.path());
        }
      }
    }
    return List.copyOf(paths);
  }

  /** Bytes of one row of all tensors and masks. */
  public long rowBytes() {
    return specs().stream().mapToLong(TensorSpec::rowBytes).sum();
  }
}
