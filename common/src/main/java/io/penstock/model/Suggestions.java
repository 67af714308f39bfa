package io.penstock.model;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** The nearest known name to one that is not known, for messages. */
public final class Suggestions {
  private Suggestions() {}

  /** The candidate with the least edit distance, if it is near enough to have been meant. */
  public static Optional<String> nearest(String name, Collection<String> candidates) {
    int limit = Math.max(2, name.length() / 2);
    return candidates.stream()
        .filter(candidate -> distance(name, candidate) <= limit)
        .min(
            Comparator.<String>comparingInt(candidate -> distance(name, candidate))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** {@code ; did you mean 'x'?} or nothing. */
  public static String didYouMean(String name, Collection<String> candidates) {
    return nearest(name, candidates).map(n -> "; did you mean '" + n + "'?").orElse("");
  }

  private static int distance(String a, String b) {
    int[] previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] current = new int[b.length() + 1];
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(change, Math.min(previous[j], current[j - 1]) + 1);
      }
      previous = current;
    }
    return previous[b.length()];
  }
}
