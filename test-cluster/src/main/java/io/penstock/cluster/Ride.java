package io.penstock.cluster;

import java.util.Arrays;

/**
 * One row of the {@code rides} dataset, reused from row to row by its writer. NaN stands for null
 * in floating-point columns, {@link #NO_INT} in whole-number ones.
 */
final class Ride {
  static final int NO_INT = Integer.MIN_VALUE;
  static final long NO_LONG = Long.MIN_VALUE;
  static final int SIGNALS = 12;
  static final int EMBEDDING = 8;
  static final int MAX_CLICKS = 24;
  static final int CITIES = 32;
  static final int VENDORS = 4;
  static final int PAYMENTS = 5;

  /** 2026-01-01T00:00:00Z. */
  private static final long START_MICROS = 1_767_225_600_000_000L;

  private static final int DAYS = 90;
  private static final long MICROS_PER_DAY = 86_400_000_000L;
  private static final double SIGNAL_NULLS = 0.05;

  long rideId;
  long userId;
  int driverId;
  int city;
  int vendor;
  int payment;
  int pickupZone;
  int dropoffZone;
  long pickedUpAt;
  long droppedOffAt;
  int day;
  int fareCents;
  double tip;
  float distanceKm;
  int durationS;
  int passengers;
  int rating;
  float temperature;
  float rainMm;
  float windMs;
  float surge;
  boolean airport;
  boolean shared;
  boolean night;
  final float[] signals = new float[SIGNALS];
  long noteId;
  final float[] embedding = new float[EMBEDDING];

  /** Number of clicks, -1 for a null list. */
  int clickCount;

  final long[] clicks = new long[MAX_CLICKS];
  int label;

  void draw(long seed, long row) {
    Draws draws = new Draws(seed, row);
    rideId = row;
    drawIds(draws);
    drawTrip(draws);
    drawWeather(draws);
    drawLists(draws);
    for (int i = 0; i < SIGNALS; i++) {
      double value = draws.bell() * (1 + i) + i;
      signals[i] = draws.chance(SIGNAL_NULLS) ? Float.NaN : (float) value;
    }
    label = draws.chance(probability()) ? 1 : 0;
  }

  private void drawIds(Draws draws) {
    double skewed = draws.unit();
    userId = 1_000_000L + (long) (skewed * skewed * 20_000);
    driverId = draws.below(5_000);
    double cityDraw = draws.unit();
    city = (int) (cityDraw * cityDraw * CITIES);
    vendor = draws.below(VENDORS);
    payment = draws.chance(0.03) ? NO_INT : draws.below(PAYMENTS);
    pickupZone = 1 + draws.below(265);
    dropoffZone = 1 + draws.below(265);
    noteId = draws.chance(0.6) ? NO_LONG : draws.nextLong();
  }

  private void drawTrip(Draws draws) {
    long sinceStart = (long) (draws.unit() * DAYS * MICROS_PER_DAY);
    pickedUpAt = START_MICROS + sinceStart;
    day = (int) Math.floorDiv(pickedUpAt, MICROS_PER_DAY);
    distanceKm = (float) (-4.5 * StrictMath.log(1 - draws.unit()) + 0.3);
    int seconds = 120 + (int) (distanceKm * (110 + 60 * draws.unit()));
    droppedOffAt = draws.chance(0.02) ? NO_LONG : pickedUpAt + seconds * 1_000_000L;
    durationS = droppedOffAt == NO_LONG ? NO_INT : seconds;
    surge = 1 + 0.25f * draws.below(5);
    fareCents = 250 + (int) (distanceKm * 180 * surge);
    tip = draws.chance(0.3) ? Double.NaN : draws.below(200) * 0.05;
    passengers = 1 + draws.below(5);
    rating = draws.chance(0.4) ? NO_INT : 1 + draws.below(5);
    airport = draws.chance(0.12);
    shared = draws.chance(0.25);
    long hour = Math.floorMod(pickedUpAt, MICROS_PER_DAY) / 3_600_000_000L;
    night = hour < 6 || hour >= 22;
  }

  private void drawWeather(Draws draws) {
    temperature = draws.chance(0.04) ? Float.NaN : (float) (9 + 7 * draws.bell());
    rainMm = draws.chance(0.04) ? Float.NaN : draws.chance(0.7) ? 0 : (float) (6 * draws.unit());
    windMs = draws.chance(0.04) ? Float.NaN : (float) (12 * draws.unit() * draws.unit());
  }

  private void drawLists(Draws draws) {
    for (int i = 0; i < EMBEDDING; i++) {
      embedding[i] = (float) (draws.bell() / 2);
    }
    Arrays.fill(clicks, 0);
    clickCount = draws.chance(0.02) ? -1 : draws.below(MAX_CLICKS + 1);
    for (int i = 0; i < clickCount; i++) {
      clicks[i] = draws.chance(0.01) ? NO_LONG : 1 + draws.below(50_000);
    }
  }

  /** A logistic function of standardised columns, so that a logistic regression finds it. */
  private double probability() {
    double z =
        -0.3
            + 1.2 * standard(signals[0], 0, 1)
            - 0.9 * standard(signals[1], 1, 2)
            + 0.6 * standard(signals[2], 2, 3)
            - 0.5 * standard(temperature, 9, 7)
            + 0.8 * embedding[0]
            - 0.6 * embedding[1]
            + (airport ? 0.7 : 0);
    return 1 / (1 + StrictMath.exp(-z));
  }

  private static double standard(float value, double mean, double deviation) {
    return Float.isNaN(value) ? 0 : (value - mean) / deviation;
  }
}
