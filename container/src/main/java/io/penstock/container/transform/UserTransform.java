package io.penstock.container.transform;

import io.penstock.container.tensors.Column;
import java.util.List;
import java.util.Map;

/**
 * User code of a feed's op {@code class}: the columns of one tensor in, for one row group; as many
 * columns with as many rows out.
 *
 * <p>It must be a pure function of each row's values: its result may depend neither on other rows,
 * nor on earlier calls, threads, time or place, or the order contract is void. Each worker has an
 * instance of its own, made by the class's public constructor without parameters, so instances need
 * no locks.
 *
 * <p>An exception that it throws fails the row group, with the class's name, the file and the row
 * group in the message.
 */
public interface UserTransform {
  /**
   * Called once before the first row group.
   *
   * @param args the op's {@code args}: {@code String}, {@code Boolean}, {@code Long} ({@code
   *     BigInteger} where that is too small), {@code Double}, {@code null}, or a {@code List} or
   *     {@code Map} of these; unmodifiable
   */
  default void open(Map<String, Object> args) throws Exception {}

  /**
   * Transforms one row group.
   *
   * @param names of the columns
   * @param columns never dictionary-coded: whole numbers and dates as {@code Longs}, floats and
   *     decimals as {@code Doubles}, bytes as {@code Bytes}; arrays may be changed and returned
   * @return as many columns with as many rows, of any types and values; ops that follow and the
   *     tensor's dtype then apply to them
   */
  List<Column> apply(List<String> names, List<Column> columns) throws Exception;

  /** Called once when the worker ends. */
  default void close() throws Exception {}
}
