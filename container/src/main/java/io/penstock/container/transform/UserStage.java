package io.penstock.container.transform;

import io.penstock.container.tensors.Column;
import io.penstock.container.tensors.Column.ListLevel;
import io.penstock.container.tensors.Values;
import io.penstock.model.DataException;
import io.penstock.model.RowGroupRef;
import java.util.ArrayList;
import java.util.List;

/** The ops before a use of user code, and the user code. Belongs to one transformer. */
final class UserStage {
  private final String tensor;
  private final List<ColumnPlan> plans;
  private final List<String> names;
  private final String className;
  private final UserTransform code;

  UserStage(String tensor, TensorPlan.Stage stage, UserTransform code) {
    this.tensor = tensor;
    this.plans = stage.columns();
    this.names = plans.stream().map(ColumnPlan::path).toList();
    this.className = stage.code().className();
    this.code = code;
  }

  /**
   * @throws DataException if the user code fails or breaks its contract
   */
  List<Column> apply(RowGroupRef at, List<Column> columns) {
    List<Column> given = new ArrayList<>(columns.size());
    for (int c = 0; c < columns.size(); c++) {
      given.add(new Materialiser(plans.get(c), at).apply(columns.get(c)));
    }
    List<Column> made;
    try {
      made = code.apply(names, given);
    } catch (Exception | LinkageError | StackOverflowError e) {
      throw new DataException(DataException.Place.of(at), detail(e.toString()), e);
    }
    if (made == null || made.size() != columns.size()) {
      throw new DataException(
          DataException.Place.of(at),
          detail(
              "must return "
                  + columns.size()
                  + " columns: "
                  + (made == null ? "null" : made.size())));
    }
    for (int c = 0; c < made.size(); c++) {
      check(at, names.get(c), made.get(c));
    }
    return made;
  }

  private void check(RowGroupRef at, String name, Column column) {
    String fault = column == null ? "a null column" : fault(column, at.rows());
    if (!fault.isEmpty()) {
      throw new DataException(
          DataException.Place.of(at).inColumn(name),
          detail("must return a sound column: " + fault));
    }
  }

  /** What does not fit together in a column, or nothing. */
  private static String fault(Column column, int rows) {
    if (column.rows() != rows) {
      return "rows=" + column.rows() + " of " + rows;
    }
    int below = rows;
    for (ListLevel level : column.lists()) {
      if (level.count() != below) {
        return "lists=" + level.count() + " of " + below;
      }
      if (level.offsets().length <= below || level.offsets()[0] != 0) {
        return "offsets must be one more than lists, the first 0";
      }
      for (int i = 0; i < below; i++) {
        if (level.offsets()[i + 1] < level.offsets()[i]) {
          return "offsets must not fall";
        }
      }
      if (level.valid() != null && level.valid().length < below) {
        return "valid=" + level.valid().length + " of " + below;
      }
      below = level.offsets()[below];
    }
    if (column.items() != below) {
      return "items=" + column.items() + " of " + below;
    }
    if (column.valid() != null && column.valid().length < below) {
      return "valid=" + column.valid().length + " of " + below;
    }
    return fault(column.values(), column, below);
  }

  private static String fault(Values values, Column column, int items) {
    if (values instanceof Values.Dictionary dictionary) {
      if (dictionary.indices().length < items) {
        return "indices=" + dictionary.indices().length + " of " + items;
      }
      for (int i = 0; i < items; i++) {
        int index = dictionary.indices()[i];
        if (!column.isNull(i) && (index < 0 || index >= dictionary.size())) {
          return "index=" + index + " of " + dictionary.size();
        }
      }
      return fault(dictionary.entries(), column, dictionary.size());
    }
    Form form = Form.of(column.type().kind());
    boolean decimal = column.type().kind() == io.penstock.model.ColumnType.Kind.DECIMAL;
    int length;
    boolean fits;
    if (values instanceof Values.Ints ints) {
      length = ints.array().length;
      fits = form.isWhole() || decimal;
    } else if (values instanceof Values.Longs longs) {
      length = longs.array().length;
      fits = form.isWhole() || decimal;
    } else if (values instanceof Values.Floats floats) {
      length = floats.array().length;
      fits = form == Form.FLOAT && !decimal;
    } else if (values instanceof Values.Doubles doubles) {
      length = doubles.array().length;
      fits = form == Form.FLOAT && !decimal;
    } else if (values instanceof Values.Bytes bytes) {
      length = bytes.offsets().length - 1;
      fits = form == Form.BYTES || decimal;
      for (int i = 0; i < Math.min(length, items); i++) {
        if (bytes.offsets()[i] < 0
            || bytes.offsets()[i + 1] < bytes.offsets()[i]
            || bytes.offsets()[i + 1] > bytes.data().length) {
          return "offsets must not fall nor leave the data";
        }
      }
    } else {
      throw new IllegalStateException(values.toString());
    }
    if (!fits) {
      return values.getClass().getSimpleName() + " of " + column.type();
    }
    return length < items ? "values=" + length + " of " + items : "";
  }

  private String detail(String message) {
    return "tensor " + tensor + ": class " + className + ": " + message;
  }

  /** Closes the user code of all stages, the last first. */
  static void closeAll(List<UserStage> stages) {
    RuntimeException first = null;
    for (int i = stages.size() - 1; i >= 0; i--) {
      UserStage stage = stages.get(i);
      try {
        stage.code.close();
      } catch (Exception e) {
        RuntimeException failure =
            new IllegalStateException("class " + stage.className + " can't be closed: " + e, e);
        if (first == null) {
          first = failure;
        } else {
          first.addSuppressed(failure);
        }
      }
    }
    stages.clear();
    if (first != null) {
      throw first;
    }
  }
}
