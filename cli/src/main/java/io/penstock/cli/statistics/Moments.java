package io.penstock.cli.statistics;

/**
 * Count, mean and sum of squared differences from the mean.
 *
 * <h2>Numerics</h2>
 *
 * Within a row group two passes are made: the mean from a compensated sum (Neumaier,
 * "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen", 1974), then the squares
 * of the differences from it, less the square of what rounding left of their sum. Row groups are
 * combined by the pairwise formula. Both are from Chan, Golub, LeVeque, "Algorithms for computing
 * the sample variance", 1983. The mean is kept in two parts, as values far from 0 need. Nothing
 * large is ever subtracted from something as large. Values that are all equal have exactly that
 * mean and no deviation.
 *
 * <p>Addition is not associative, so the result is the same for every number of threads only
 * because the row groups are combined in one order.
 *
 * @param mean of {@code count} values; 0 if there are none
 * @param rest of the mean, which float64 does not hold beside it
 * @param squares sum of the squared differences from the mean
 */
record Moments(long count, double mean, double rest, double squares) {
  static final Moments NONE = new Moments(0, 0, 0, 0);

  /** Of the first {@code count} values. */
  static Moments of(double[] values, int count) {
    if (count == 0) {
      return NONE;
    }
    double sum = 0;
    double lost = 0;
    boolean equal = true;
    for (int i = 0; i < count; i++) {
      double value = values[i];
      double next = sum + value;
      lost += Math.abs(sum) >= Math.abs(value) ? (sum - next) + value : (value - next) + sum;
      sum = next;
      equal &= value == values[0];
    }
    if (equal) {
      return new Moments(count, values[0], 0, 0);
    }
    double total = sum + lost;
    double mean = (Double.isFinite(total) ? total : sum) / count;
    double squares = 0;
    double rest = 0;
    for (int i = 0; i < count; i++) {
      double difference = values[i] - mean;
      squares += difference * difference;
      rest += difference;
    }
    return new Moments(count, mean, rest / count, squares - rest * rest / count);
  }

  /** With what comes after it in the catalog. */
  Moments plus(Moments later) {
    if (later.count == 0) {
      return this;
    }
    if (count == 0) {
      return later;
    }
    long all = count + later.count;
    double difference = (later.mean - mean) + (later.rest - rest);
    double step = rest + difference * later.count / all;
    double moved = mean + step;
    double stepped = moved - mean;
    return new Moments(
        all,
        moved,
        (mean - (moved - stepped)) + (step - stepped),
        squares + later.squares + difference * difference * count / all * later.count);
  }

  /** Standard deviation over the population; NaN if there are no values. */
  double deviation() {
    return Math.sqrt(Math.max(0, squares) / count);
  }
}
