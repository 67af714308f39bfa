package io.penstock.container.transform;

import io.penstock.container.tensors.Column;
import io.penstock.model.ColumnType;
import io.penstock.model.RowGroupRef;
import io.penstock.model.UsageException;
import java.util.Optional;

/**
 * One column of a tensor, row group after row group. Belongs to one transformer.
 *
 * <h2>Ways</h2>
 *
 * {@link #begin} chooses how the column becomes bytes: {@link DirectWay}, {@link DictionaryWay},
 * {@link ComputedWay} or {@link DecodedWay}, the first that can. All give the same bytes. {@link
 * #write} is then called for runs of rows that are short enough for the bytes and the scratch
 * blocks to stay in cache.
 */
final class ColumnRun {
  private final ColumnPlan plan;
  private final Scratch scratch;
  private final DirectWay direct;
  private final DictionaryWay dictionary;
  private final ComputedWay computed;
  private final DecodedWay decoded;

  /** The chain for {@link #type}, the type that the last row group had. */
  private Chain chain;

  private ColumnType type;
  private ListCells lists;
  private Way way;

  /**
   * @param slot none of the columns that are written together has the same
   */
  ColumnRun(ColumnPlan plan, Scratch scratch, int slot) {
    this.plan = plan;
    this.scratch = scratch;
    direct = new DirectWay(plan);
    dictionary = new DictionaryWay(plan, scratch, slot);
    computed = new ComputedWay(plan, scratch);
    decoded = new DecodedWay(plan, scratch);
  }

  /** Takes up the column of a row group. */
  void begin(Column column, RowGroupRef at) {
    ColumnPlace place = new ColumnPlace(plan, at);
    compile(column.type(), place);
    if (chain.decoder().isPresent()) {
      decoded.begin(column, place, chain, lists);
      way = decoded;
    } else if (direct.begin(column, place, chain, lists, scratch.items)) {
      way = direct;
    } else if (dictionary.begin(column, place, chain, lists)) {
      way = dictionary;
    } else {
      computed.begin(column, place, chain, lists);
      way = computed;
    }
  }

  /** See {@link Way#write}. */
  void write(int from, int to, byte[] out, int at, byte[] mask, int maskAt) {
    way.write(from, to, out, at, mask, maskAt);
  }

  /** The file's own array, if every value of it goes as it is into a float32 tensor. */
  Optional<float[]> floats() {
    return way == direct ? direct.floats() : Optional.empty();
  }

  /** The way by dictionary, if a row of the column is one entry of it. */
  Optional<DictionaryWay> lookUp() {
    return way == dictionary && dictionary.isScalar() ? Optional.of(dictionary) : Optional.empty();
  }

  private void compile(ColumnType newType, ColumnPlace place) {
    if (newType.equals(type)) {
      return;
    }
    try {
      chain = plan.chain(newType);
    } catch (UsageException e) {
      throw place.failure(e.getMessage(), e);
    }
    int axes = plan.axes().size();
    if (chain.decoder().isEmpty() && newType.listDepth() != axes) {
      throw place.failure("must have the shape " + plan.axes() + ": a column of " + newType, null);
    }
    ItemOps ops = chain.decoder().isPresent() ? chain.itemOps(Form.WHOLE, axes) : chain.itemOps();
    lists = new ListCells(plan.axes(), ops.padding().isPresent(), ops.nullLists());
    type = newType;
  }
}
