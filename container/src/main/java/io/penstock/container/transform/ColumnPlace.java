package io.penstock.container.transform;

import io.penstock.model.DataException;
import io.penstock.model.RowGroupRef;

/** A column of a tensor and the row group at hand, for errors. */
record ColumnPlace(ColumnPlan plan, RowGroupRef at) {
  DataException failure(int row, CellFailure failure) {
    return failure(row, failure.getMessage(), failure.getCause());
  }

  DataException failure(int row, String detail, Throwable cause) {
    return new DataException(place().atRow(row), detail(detail), cause);
  }

  DataException failure(String detail, Throwable cause) {
    return new DataException(place(), detail(detail), cause);
  }

  private DataException.Place place() {
    return DataException.Place.of(at).inColumn(plan.path());
  }

  private String detail(String detail) {
    return "tensor " + plan.tensor() + ": " + detail;
  }
}
