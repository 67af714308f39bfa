package io.penstock.feed;

import io.penstock.feed.TensorFeed.Axis;
import io.penstock.model.ColumnSchema;
import io.penstock.model.DType;
import io.penstock.model.Suggestions;
import io.penstock.model.TensorSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Finds each tensor's columns in a schema and follows every column through its ops, to the shape
 * that a row has.
 */
final class Binder {
  private static final int MAX_NAMED = 5;

  private final List<ColumnSchema> schema;
  private final Map<String, List<ColumnSchema>> byPath = new LinkedHashMap<>();
  private final FeedErrors errors;

  private Binder(List<ColumnSchema> schema, FeedErrors errors) {
    this.schema = schema;
    this.errors = errors;
    for (ColumnSchema column : schema) {
      byPath.computeIfAbsent(column.path(), path -> new ArrayList<>()).add(column);
    }
  }

  static BoundFeed bind(Feed feed, List<ColumnSchema> schema) {
    FeedErrors errors = new FeedErrors(feed.source());
    Binder binder = new Binder(schema, errors);
    List<BoundTensor> tensors = new ArrayList<>();
    for (TensorFeed tensor : feed.tensors()) {
      binder.tensor(tensor).ifPresent(tensors::add);
    }
    errors.throwIfAny();
    return new BoundFeed(feed, tensors);
  }

  private Optional<BoundTensor> tensor(TensorFeed tensor) {
    Optional<List<ColumnSchema>> found = columns(tensor);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    List<List<Op>> opsByColumn = opsByColumn(tensor, found.get());
    List<BoundColumn> columns = new ArrayList<>();
    for (int i = 0; i < found.get().size(); i++) {
      ColumnSchema column = found.get().get(i);
      columns.add(
          new BoundColumn(
              column.path(), column.type().orElseThrow(), column.partition(), opsByColumn.get(i)));
    }
    return itemAxes(tensor, columns).flatMap(axes -> bound(tensor, columns, axes));
  }

  private Optional<BoundTensor> bound(
      TensorFeed tensor, List<BoundColumn> columns, List<Integer> itemAxes) {
    List<Integer> shape = new ArrayList<>(itemAxes);
    if (tensor.axis() == Axis.COLUMNS) {
      shape.add(0, columns.size());
    }
    double bytes = tensor.dtype().bytes();
    for (int axis : shape) {
      bytes *= axis;
    }
    if (bytes > Integer.MAX_VALUE) {
      errors.add(
          tensor.line(),
          place(tensor) + "a row must take < 2^31 bytes: " + tensor.dtype().text() + " " + shape);
      return Optional.empty();
    }
    return Optional.of(
        new BoundTensor(
            tensor,
            columns,
            new TensorSpec(tensor.name(), tensor.dtype(), shape),
            tensor.mask()
                ? Optional.of(new TensorSpec(tensor.maskName(), DType.BOOL, shape))
                : Optional.empty()));
  }

  private static String place(TensorFeed tensor) {
    return "tensor '" + tensor.name() + "': ";
  }

  private Optional<List<ColumnSchema>> columns(TensorFeed tensor) {
    Map<String, ColumnSchema> taken = new LinkedHashMap<>();
    boolean good = true;
    for (String wanted : tensor.columns()) {
      List<ColumnSchema> matches = byPath.getOrDefault(wanted, List.of());
      if (matches.isEmpty() && ColumnGlob.isGlob(wanted) && tensor.axis() == Axis.COLUMNS) {
        good &= takeMatching(tensor, wanted, taken);
      } else {
        good &= takeNamed(tensor, wanted, matches, taken);
      }
    }
    for (ColumnSchema column : taken.values()) {
      if (column.type().isEmpty()) {
        errors.add(
            tensor.line(),
            place(tensor)
                + "column '"
                + column.path()
                + "' has a type that is not supported: "
                + column.declared());
        good = false;
      }
    }
    return good ? Optional.of(List.copyOf(taken.values())) : Optional.empty();
  }

  private boolean takeNamed(
      TensorFeed tensor,
      String wanted,
      List<ColumnSchema> matches,
      Map<String, ColumnSchema> taken) {
    String problem = null;
    if (matches.isEmpty()) {
      problem =
          "no column '"
              + wanted
              + "' in the dataset"
              + (ColumnGlob.isGlob(wanted)
                  ? "; globs need columns: [..]"
                  : Suggestions.didYouMean(wanted, byPath.keySet()));
    } else if (matches.size() > 1) {
      problem = "'" + wanted + "' is both a top-level column and the path of a nested one";
    } else if (taken.putIfAbsent(wanted, matches.get(0)) != null) {
      problem = "takes column '" + wanted + "' twice";
    }
    if (problem != null) {
      errors.add(tensor.line(), place(tensor) + problem);
    }
    return problem == null;
  }

  private boolean takeMatching(TensorFeed tensor, String wanted, Map<String, ColumnSchema> taken) {
    Optional<ColumnGlob> glob = glob(wanted, tensor.line(), place(tensor));
    if (glob.isEmpty()) {
      return false;
    }
    boolean matched = false;
    boolean good = true;
    for (ColumnSchema column : schema) {
      if (column.topLevel() && glob.get().matches(column.path())) {
        matched = true;
        if (!taken.containsKey(column.path())) {
          good &= takeNamed(tensor, column.path(), byPath.get(column.path()), taken);
        }
      }
    }
    if (!matched) {
      errors.add(tensor.line(), place(tensor) + "no top-level column matches '" + wanted + "'");
    }
    return matched && good;
  }

  private Optional<ColumnGlob> glob(String text, int line, String place) {
    try {
      return Optional.of(ColumnGlob.of(text));
    } catch (IllegalArgumentException e) {
      errors.add(line, place + e.getMessage());
      return Optional.empty();
    }
  }

  /** For each of the columns the ops that touch it. */
  private List<List<Op>> opsByColumn(TensorFeed tensor, List<ColumnSchema> columns) {
    Set<String> paths =
        columns.stream()
            .map(ColumnSchema::path)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    Map<String, List<Op>> byColumn = new LinkedHashMap<>();
    paths.forEach(path -> byColumn.put(path, new ArrayList<>()));
    for (int i = 0; i < tensor.ops().size(); i++) {
      Op op = tensor.ops().get(i);
      int line = tensor.opLines().get(i);
      for (String path : touched(tensor, op, line, paths)) {
        byColumn.get(path).add(op);
      }
    }
    return List.copyOf(byColumn.values());
  }

  private Set<String> touched(TensorFeed tensor, Op op, int line, Set<String> paths) {
    String place = place(tensor) + op.name() + ": ";
    Set<String> touched = new LinkedHashSet<>();
    if (op.columns().isPresent()) {
      for (String wanted : op.columns().get()) {
        touched.addAll(matching(wanted, line, place, paths));
      }
    } else {
      touched.addAll(paths);
    }
    if (op instanceof Op.Standardize standardize) {
      return standardized(standardize, line, place, paths, touched);
    }
    return touched;
  }

  private Set<String> matching(String wanted, int line, String place, Set<String> paths) {
    if (paths.contains(wanted)) {
      return Set.of(wanted);
    }
    Predicate<String> test = wanted::equals;
    if (ColumnGlob.isGlob(wanted)) {
      Optional<ColumnGlob> glob = glob(wanted, line, place);
      if (glob.isEmpty()) {
        return Set.of();
      }
      test = glob.get()::matches;
    }
    Set<String> matching = paths.stream().filter(test).collect(Collectors.toSet());
    if (matching.isEmpty()) {
      errors.add(
          line,
          place
              + "the tensor has no column '"
              + wanted
              + "'"
              + Suggestions.didYouMean(wanted, paths));
    }
    return matching;
  }

  private Set<String> standardized(
      Op.Standardize op, int line, String place, Set<String> paths, Set<String> asked) {
    boolean all = op.columns().isEmpty() && op.file().isEmpty();
    for (String named : op.file().isEmpty() ? op.mean().keySet() : Set.<String>of()) {
      if (!paths.contains(named)) {
        errors.add(
            line,
            place
                + "the tensor has no column '"
                + named
                + "'"
                + Suggestions.didYouMean(named, paths));
      }
    }
    Set<String> touched = new LinkedHashSet<>();
    for (String path : asked) {
      if (op.mean().containsKey(path)) {
        touched.add(path);
        if (op.std().get(path) == 0) {
          errors.add(line, place + "std must not be 0: column '" + path + "'");
        }
      } else if (!all) {
        errors.add(
            line,
            place
                + "no mean and std for column '"
                + path
                + "'"
                + op.file().map(file -> " in " + file).orElse(""));
      }
    }
    return touched;
  }

  /** The axes of every column's row; empty if one is wrong or they differ. */
  private Optional<List<Integer>> itemAxes(TensorFeed tensor, List<BoundColumn> columns) {
    Map<ColumnFlow.Problem, List<BoundColumn>> problems = new LinkedHashMap<>();
    Map<List<Integer>, List<BoundColumn>> byAxes = new LinkedHashMap<>();
    for (BoundColumn column : columns) {
      try {
        List<Integer> axes = ColumnFlow.itemAxes(tensor, column);
        byAxes.computeIfAbsent(axes, a -> new ArrayList<>()).add(column);
      } catch (ColumnFlow.Refused e) {
        problems.computeIfAbsent(e.problem(), p -> new ArrayList<>()).add(column);
      }
    }
    problems.forEach(
        (problem, where) ->
            errors.add(problem.line(), place(tensor) + problem.message() + ": " + describe(where)));
    if (byAxes.size() > 1) {
      errors.add(
          tensor.line(),
          place(tensor)
              + "all columns must have equal axes: "
              + byAxes.entrySet().stream()
                  .map(entry -> entry.getKey() + " " + describe(entry.getValue()))
                  .collect(Collectors.joining("; ")));
    }
    return problems.isEmpty() && byAxes.size() == 1
        ? Optional.of(byAxes.keySet().iterator().next())
        : Optional.empty();
  }

  private static String describe(List<BoundColumn> columns) {
    String named =
        columns.stream()
            .limit(MAX_NAMED)
            .map(column -> column.path() + " (" + column.type() + ")")
            .collect(Collectors.joining(", "));
    int more = columns.size() - MAX_NAMED;
    return (columns.size() == 1 ? "column " : "columns ")
        + named
        + (more > 0 ? " and " + more + " more" : "");
  }
}
