package io.penstock.plan;

import io.penstock.model.Deal;
import io.penstock.model.OrderSpec;
import io.penstock.model.Remainder;
import io.penstock.model.Shuffle;
import io.penstock.model.UsageException;
import java.util.Arrays;

/**
 * What a feed delivers and in which order, for all epochs (ORDER.md, "The plan"). Immutable.
 *
 * <h2>What is kept and what is computed</h2>
 *
 * A plan keeps the row groups' prefix sums and, where the deal is fixed, the deal: two numbers a
 * row group. {@link EpochPlan}, {@link LanePlan} and {@link WindowOrder} are computed when asked
 * for and belong to who asked. Any step is found by arithmetic and binary search in prefix sums,
 * never by a walk over earlier ones.
 *
 * <h2>Windows</h2>
 *
 * A window is the pieces whose rows are mixed together. Where rows are not mixed (any {@code
 * shuffle} but {@code rows}) the window says nothing about the order, so here each piece is then a
 * window of its own, and a rank holds no more than it must.
 */
public final class Plan {
  private final OrderSpec order;
  private final long[] firstRow;
  private final long steps;
  private final int windowPieces;
  private final LaneDeal fixedDeal;

  /**
   * @param rowsPerRowGroup n_g, each &gt;= 1, in catalog order; empty row groups are not in it
   * @throws UsageException if there is no row, a lane would have none, or no batch could be filled
   */
  public Plan(OrderSpec order, int[] rowsPerRowGroup) {
    this.order = order;
    this.firstRow = new long[rowsPerRowGroup.length + 1];
    for (int g = 0; g < rowsPerRowGroup.length; g++) {
      if (rowsPerRowGroup[g] < 1) {
        throw new IllegalArgumentException(
            "must be >= 1: rowGroup=" + g + " rows=" + rowsPerRowGroup[g]);
      }
      firstRow[g + 1] = firstRow[g] + rowsPerRowGroup[g];
    }
    if (rows() == 0) {
      throw new UsageException("the dataset has no rows");
    }
    if (rows() < order.lanes()) {
      throw new UsageException(
          "each lane needs a row: the dataset has rows=" + rows() + ", lanes=" + order.lanes());
    }
    this.steps = stepsOf(order, rows());
    if (steps == 0) {
      throw new UsageException(
          "no batch can be filled: the dataset has rows="
              + rows()
              + " and one batch takes "
              + order.batch()
              + "; lower `batch` or use `remainder: pad`");
    }
    this.windowPieces = order.shuffle() == Shuffle.ROWS ? order.window() : 1;
    checkWindowRows(rowsPerRowGroup);
    this.fixedDeal = order.deal() == Deal.FIXED ? new LaneDeal(this, 0) : null;
  }

  private static long stepsOf(OrderSpec order, long rows) {
    long perLane = rows / order.lanes();
    if (order.remainder() == Remainder.DROP) {
      return perLane / order.laneBatch();
    }
    if (rows % order.lanes() != 0) {
      perLane++;
    }
    return (perLane - 1) / order.laneBatch() + 1;
  }

  private void checkWindowRows(int[] rowsPerRowGroup) {
    long limit = Integer.MAX_VALUE - 8;
    int largest = Arrays.stream(rowsPerRowGroup).max().orElse(0);
    if (windowPieces == 1 || (long) windowPieces * largest <= limit) {
      return;
    }
    int[] ascending = rowsPerRowGroup.clone();
    Arrays.sort(ascending);
    long most = 0;
    for (int i = 0; i < Math.min(windowPieces, ascending.length); i++) {
      most += ascending[ascending.length - 1 - i];
    }
    most = Math.min(most, rows() / order.lanes() + 1);
    if (most > limit) {
      throw new UsageException(
          "a window must have < 2^31 rows: window=" + order.window() + " rows=" + most);
    }
  }

  public OrderSpec order() {
    return order;
  }

  /** G, how many row groups there are. */
  public int rowGroups() {
    return firstRow.length - 1;
  }

  /** R, all rows. */
  public long rows() {
    return firstRow[firstRow.length - 1];
  }

  /** n_g. */
  public int rowsOf(int rowGroup) {
    return (int) (firstRow[rowGroup + 1] - firstRow[rowGroup]);
  }

  /** Catalog row number of the row group's first row. */
  public long firstRowOf(int rowGroup) {
    return firstRow[rowGroup];
  }

  /** T, the steps of every epoch. */
  public long steps() {
    return steps;
  }

  /** Rows of every epoch that are not valid because their lane has run out. */
  public long padding() {
    return order.remainder() == Remainder.PAD ? steps * order.batch() - rows() : 0;
  }

  /** Rows of the catalog that an epoch delivers, each of them once, padding not counted. */
  public long deliveredRows() {
    return steps * order.batch() - padding();
  }

  /** Position of the row at {@code place} of global batch {@code step}. */
  public long position(long step, int place) {
    return step * order.batch() + place;
  }

  /** Place, in the rows laid end to end as dealt, at which a lane (or the end, N) begins. */
  long laneBegin(int lane) {
    long lanes = order.lanes();
    // floor(lane * R / N) in a form that can't overflow.
    return lane * (rows() / lanes) + lane * (rows() % lanes) / lanes;
  }

  /** How many rows a lane owns, in every epoch. */
  public long laneRows(int lane) {
    return laneBegin(lane + 1) - laneBegin(lane);
  }

  /** How many pieces a full window has; 1 where rows are not mixed. */
  public int windowPieces() {
    return windowPieces;
  }

  /** How many of {@code ranks} ranks read rows of a lane. */
  public int ranksReading(int lane, int ranks) {
    int perRank = order.batch() / ranks;
    long first = (long) lane * order.laneBatch();
    long last = first + order.laneBatch() - 1;
    return (int) (last / perRank - first / perRank + 1);
  }

  /** The plan of epoch {@code epoch}, &gt;= 0. */
  public EpochPlan epoch(long epoch) {
    return new EpochPlan(this, epoch, fixedDeal != null ? fixedDeal : new LaneDeal(this, epoch));
  }
}
