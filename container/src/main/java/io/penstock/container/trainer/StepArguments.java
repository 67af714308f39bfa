package io.penstock.container.trainer;

import io.penstock.model.Suggestions;
import io.penstock.model.UsageException;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads the settings {@code penstock.step.*} of a built-in training step and refuses those that it
 * does not know.
 */
final class StepArguments {
  private static final String PREFIX = "penstock.step.";

  private final Map<String, String> arguments;
  private final Set<String> known = new TreeSet<>();

  StepArguments(Map<String, String> arguments) {
    this.arguments = arguments;
  }

  String text(String name, String fallback) {
    known.add(name);
    return arguments.getOrDefault(name, fallback);
  }

  double number(String name, double fallback, double least, double most) {
    String text = text(name, null);
    if (text == null) {
      return fallback;
    }
    double value;
    try {
      value = Double.parseDouble(text.trim());
    } catch (NumberFormatException e) {
      throw new UsageException("must be a number: " + PREFIX + name + "=" + text, e);
    }
    if (!(value >= least && value <= most)) {
      throw new UsageException(
          "must be >= " + least + " and <= " + most + ": " + PREFIX + name + "=" + text);
    }
    return value;
  }

  /** A whole number &gt;= 0. */
  long whole(String name, long fallback) {
    String text = text(name, null);
    if (text == null) {
      return fallback;
    }
    if (!text.trim().matches("[0-9]{1,18}")) {
      throw new UsageException("must be a whole number >= 0: " + PREFIX + name + "=" + text);
    }
    return Long.parseLong(text.trim());
  }

  void refuseOthers() {
    for (String name : arguments.keySet()) {
      if (!known.contains(name)) {
        throw new UsageException(
            "unknown setting " + PREFIX + name + Suggestions.didYouMean(name, known));
      }
    }
  }
}
