package io.penstock.plan;

import io.penstock.model.Deal;
import io.penstock.model.OrderSpec;
import io.penstock.model.Remainder;
import io.penstock.model.Shuffle;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * ORDER.md's plan, written down row by row and as slowly as it reads. It shares nothing with the
 * code under test but the permutations, which have vectors of their own.
 */
final class OrderOracle {
  /**
   * A row of a lane's stream.
   *
   * @param window 0, 1, ... within the pass
   * @param piece place of the piece in the epoch's order of the lane
   */
  record Row(long number, boolean valid, int lane, int pass, int window, int piece) {}

  private record DealtRow(int rowGroup, long number) {}

  private OrderOracle() {}

  /** Steps of an epoch, each the rows of its global batch. */
  static List<List<Row>> epoch(OrderSpec spec, int[] rowGroups, long epoch) {
    int groups = rowGroups.length;
    int[] deal = new int[groups];
    if (spec.shuffle() == Shuffle.NONE) {
      for (int i = 0; i < groups; i++) {
        deal[i] = i;
      }
    } else if (spec.deal() == Deal.FIXED) {
      deal = Permutations.permutation(spec.seed(), groups, 0);
    } else {
      deal = Permutations.permutation(spec.seed(), groups, 0, epoch);
    }
    List<DealtRow> laid = new ArrayList<>();
    for (int g : deal) {
      long first = 0;
      for (int before = 0; before < g; before++) {
        first += rowGroups[before];
      }
      for (int i = 0; i < rowGroups[g]; i++) {
        laid.add(new DealtRow(g, first + i));
      }
    }
    int total = laid.size();
    int lanes = spec.lanes();
    int perLane = spec.batch() / lanes;
    int steps =
        spec.remainder() == Remainder.DROP
            ? total / lanes / perLane
            : ceil(ceil(total, lanes), perLane);
    List<List<Row>> streams = new ArrayList<>();
    for (int l = 0; l < lanes; l++) {
      List<DealtRow> own = laid.subList(border(l, total, lanes), border(l + 1, total, lanes));
      streams.add(stream(spec, epoch, l, own, steps * perLane));
    }
    List<List<Row>> batches = new ArrayList<>();
    for (int t = 0; t < steps; t++) {
      List<Row> batch = new ArrayList<>();
      for (List<Row> stream : streams) {
        batch.addAll(stream.subList(t * perLane, (t + 1) * perLane));
      }
      batches.add(batch);
    }
    return batches;
  }

  private static List<Row> stream(
      OrderSpec spec, long epoch, int lane, List<DealtRow> own, int wanted) {
    List<List<DealtRow>> pieces = new ArrayList<>();
    for (DealtRow row : own) {
      if (pieces.isEmpty() || pieces.get(pieces.size() - 1).get(0).rowGroup() != row.rowGroup()) {
        pieces.add(new ArrayList<>());
      }
      pieces.get(pieces.size() - 1).add(row);
    }
    if (spec.shuffle() != Shuffle.NONE) {
      List<List<DealtRow>> ordered = new ArrayList<>();
      for (int i : Permutations.permutation(spec.seed(), pieces.size(), 1, epoch, lane)) {
        ordered.add(pieces.get(i));
      }
      pieces = ordered;
    }
    List<Row> onePass = new ArrayList<>();
    int window = spec.shuffle() == Shuffle.ROWS ? spec.window() : 1;
    for (int w = 0; w * window < pieces.size(); w++) {
      List<Row> rows = new ArrayList<>();
      for (int p = w * window; p < Math.min((w + 1) * window, pieces.size()); p++) {
        for (DealtRow row : pieces.get(p)) {
          rows.add(new Row(row.number(), true, lane, 0, w, p));
        }
      }
      if (spec.shuffle() == Shuffle.ROWS) {
        for (int i : Permutations.permutation(spec.seed(), rows.size(), 2, epoch, lane, w)) {
          onePass.add(rows.get(i));
        }
      } else {
        onePass.addAll(rows);
      }
    }
    List<Row> stream = new ArrayList<>();
    for (int pass = 0; stream.size() < wanted; pass++) {
      for (Row row : onePass) {
        stream.add(new Row(row.number(), pass == 0, lane, pass, row.window(), row.piece()));
      }
    }
    return stream;
  }

  private static int border(int lane, int rows, int lanes) {
    return BigInteger.valueOf(lane)
        .multiply(BigInteger.valueOf(rows))
        .divide(BigInteger.valueOf(lanes))
        .intValueExact();
  }

  private static int ceil(int a, int b) {
    return a / b + (a % b == 0 ? 0 : 1);
  }
}
