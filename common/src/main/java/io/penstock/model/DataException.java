package io.penstock.model;

import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The data is not what the feed or the file format says: the content of a file, a row group or a
 * column is wrong. The same bytes give the same error everywhere, so trying again is no use. Exit
 * code 1.
 *
 * <p>The message names every part of the place that is known.
 */
public final class DataException extends PenstockException {
  private static final long serialVersionUID = 1L;

  private final transient Place place;
  private final String detail;

  public DataException(Place place, String detail) {
    this(place, detail, null);
  }

  public DataException(Place place, String detail, Throwable cause) {
    super(place + ": " + detail, cause);
    this.place = place;
    this.detail = Objects.requireNonNull(detail, "detail");
  }

  /** Where it was found. */
  public Place place() {
    return place;
  }

  /** What is wrong there, without the place. */
  public String detail() {
    return detail;
  }

  @Override
  public int exitCode() {
    return 1;
  }

  /**
   * A place in a dataset; what is not known is empty.
   *
   * @param file full path
   * @param rowGroup ordinal within the file
   * @param column dotted path, empty where no column is meant
   * @param row row within the row group, 0-based
   */
  public record Place(String file, OptionalInt rowGroup, String column, OptionalLong row) {
    public static Place of(String file) {
      return new Place(file, OptionalInt.empty(), "", OptionalLong.empty());
    }

    public static Place of(RowGroupRef rowGroup) {
      return of(rowGroup.path()).inRowGroup(rowGroup.ordinal());
    }

    public Place inRowGroup(int ordinal) {
      return new Place(file, OptionalInt.of(ordinal), column, row);
    }

    public Place inColumn(String name) {
      return new Place(file, rowGroup, name, row);
    }

    public Place atRow(long number) {
      return new Place(file, rowGroup, column, OptionalLong.of(number));
    }

    @Override
    public String toString() {
      StringBuilder text = new StringBuilder("file ").append(file);
      if (rowGroup.isPresent()) {
        text.append(", row group ").append(rowGroup.getAsInt());
      }
      if (!column.isEmpty()) {
        text.append(", column ").append(column);
      }
      if (row.isPresent()) {
        text.append(", row ").append(row.getAsLong());
      }
      return text.toString();
    }
  }
}
