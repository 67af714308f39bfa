package io.penstock.container.transform;

import io.penstock.container.tensors.BlockPool;
import io.penstock.feed.BoundFeed;
import io.penstock.feed.BoundTensor;
import io.penstock.feed.DatasetSpec;
import io.penstock.feed.Op;
import io.penstock.model.TensorSpec;
import io.penstock.model.UsageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/**
 * A feed's ops, ready to run: columns of a row group in, row-major tensors out. Immutable and
 * thread-safe; each worker takes a {@link Transformer} of its own.
 *
 * <p>Closing it unloads user code; transformers are to be closed before.
 */
public final class Transforms implements AutoCloseable {
  private final List<TensorPlan> plans;
  private final List<TensorSpec> specs;
  private final DatasetSpec dataset;
  private final UserCode userCode;

  private Transforms(
      List<TensorPlan> plans, List<TensorSpec> specs, DatasetSpec dataset, UserCode userCode) {
    this.plans = plans;
    this.specs = specs;
    this.dataset = dataset;
    this.userCode = userCode;
  }

  /**
   * Prepares a feed whose jars, if it names any, are local paths.
   *
   * @throws UsageException if an op does not take its column, or user code can't be loaded
   */
  public static Transforms compile(BoundFeed feed) {
    return compile(feed, Path::of);
  }

  /**
   * Prepares a feed.
   *
   * @param jars where a jar that the feed names, as written there, lies on this machine
   * @throws UsageException if an op does not take its column, or user code can't be loaded
   */
  public static Transforms compile(BoundFeed feed, Function<String, Path> jars) {
    List<String> fileColumns = feed.fileColumns();
    Vocabularies vocabularies = new Vocabularies();
    List<TensorPlan> plans =
        feed.tensors().stream()
            .map(tensor -> TensorPlan.of(tensor, fileColumns, vocabularies))
            .toList();
    UserCode userCode = new UserCode(jars);
    Transforms transforms = new Transforms(plans, feed.specs(), feed.feed().dataset(), userCode);
    try {
      for (TensorPlan plan : plans) {
        plan.check();
        plan.stages().forEach(stage -> userCode.load(stage.code()));
      }
    } catch (RuntimeException e) {
      try {
        transforms.close();
      } catch (UncheckedIOException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
    return transforms;
  }

  /** How many columns of files a transformer has decoded at a time, at most. */
  public static int columnsAtOnce(BoundFeed feed) {
    return feed.tensors().stream().mapToInt(Transforms::columnsAtOnce).max().orElse(0);
  }

  private static int columnsAtOnce(BoundTensor tensor) {
    int columns = tensor.columns().size();
    return tensor.feed().ops().stream().anyMatch(Op.UserClass.class::isInstance)
        ? columns
        : TensorLayout.of(tensor.spec(), columns, tensor.mask().isPresent()).groupColumns();
  }

  /** What a row group becomes: each tensor, its mask right after it. */
  public List<TensorSpec> specs() {
    return specs;
  }

  /**
   * A transformer for one worker thread.
   *
   * @param blocks where it takes the arrays of its tensors from
   * @throws UsageException if user code can't be opened
   */
  public Transformer newTransformer(BlockPool blocks) {
    return new Transformer(plans, specs, new PartitionColumns(dataset), userCode, blocks);
  }

  @Override
  public void close() {
    try {
      userCode.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
