package io.penstock.cli.console;

import java.util.Locale;

/** Numbers as people read them. */
public final class Amounts {
  private static final String[] SIZES = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};

  private Amounts() {}

  /** {@code 1,234,567}. */
  public static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** {@code 1.5 GiB}. */
  public static String bytes(long bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < SIZES.length - 1) {
      value /= 1024;
      unit++;
    }
    return unit == 0
        ? bytes + " B"
        : String.format(Locale.ROOT, value < 10 ? "%.2f %s" : "%.1f %s", value, SIZES[unit]);
  }

  /** {@code 12.3 %} of a share from 0 to 1. */
  public static String share(double share) {
    return Double.isFinite(share) ? String.format(Locale.ROOT, "%.1f %%", 100 * share) : "-";
  }

  /** {@code 12.3}. */
  public static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%.1f", seconds);
  }
}
