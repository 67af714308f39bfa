package io.penstock.cli.starter;

import java.util.HashSet;
import java.util.Set;

/** Names of tensors made from names of columns: legal, and none twice. */
final class TensorNames {
  private static final int LONGEST = 100;
  private static final String MASK = "_mask";

  private final Set<String> taken = new HashSet<>(Set.of("valid", "row", "position"));

  /** A legal name as near to the column's as can be. */
  String of(String column) {
    String legal = column.replaceAll("[^A-Za-z0-9_.-]", "_");
    if (!legal.matches("[A-Za-z0-9_].*")) {
      legal = "_" + legal;
    }
    legal = legal.substring(0, Math.min(legal.length(), LONGEST));
    String name = legal;
    for (int n = 2; taken.contains(name) || taken.contains(name + MASK); n++) {
      name = legal + "_" + n;
    }
    taken.add(name);
    taken.add(name + MASK);
    return name;
  }
}
