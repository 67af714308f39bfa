package com.acme;

import io.penstock.container.tensors.Column;
import io.penstock.container.tensors.Column.ListLevel;
import io.penstock.container.tensors.Values;
import io.penstock.container.transform.UserTransform;
import io.penstock.model.ColumnType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Keeps the last items of every list, newest first: {@code [1, 2, 3]} becomes {@code [3, 2]} with
 * {@code args: {keep: 2}}. A null list stays null.
 */
public final class LastClicks implements UserTransform {
  private int keep;

  @Override
  public void open(Map<String, Object> args) {
    if (!(args.get("keep") instanceof Long number) || number < 1) {
      throw new IllegalArgumentException("must be a whole number >= 1: keep=" + args.get("keep"));
    }
    keep = Math.toIntExact(number);
  }

  @Override
  public List<Column> apply(List<String> names, List<Column> columns) {
    List<Column> made = new ArrayList<>();
    for (int c = 0; c < columns.size(); c++) {
      made.add(last(names.get(c), columns.get(c)));
    }
    return made;
  }

  private Column last(String name, Column column) {
    if (column.lists().size() != 1 || !(column.values() instanceof Values.Longs longs)) {
      throw new IllegalArgumentException("needs lists of whole numbers: column " + name);
    }
    ListLevel lists = column.lists().get(0);
    int[] from = lists.offsets();
    int[] to = new int[lists.count() + 1];
    long[] values = new long[column.items()];
    boolean[] valid = new boolean[column.items()];
    for (int row = 0; row < lists.count(); row++) {
      int items = Math.min(keep, from[row + 1] - from[row]);
      for (int i = 0; i < items; i++) {
        int item = from[row + 1] - 1 - i;
        values[to[row] + i] = longs.array()[item];
        valid[to[row] + i] = !column.isNull(item);
      }
      to[row + 1] = to[row] + items;
    }
    return new Column(
        new ColumnType(ColumnType.Kind.INTEGER, 0, 1),
        column.rows(),
        to[lists.count()],
        new Values.Longs(values),
        valid,
        List.of(new ListLevel(lists.count(), to, lists.valid())));
  }
}
