package io.penstock.cluster;

import static org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit.MICROS;
import static org.apache.parquet.schema.LogicalTypeAnnotation.dateType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.decimalType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.enumType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.intType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.stringType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.timestampType;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.BINARY;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.BOOLEAN;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.DOUBLE;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.FLOAT;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.INT32;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.INT64;
import static org.apache.parquet.schema.Types.optional;
import static org.apache.parquet.schema.Types.optionalList;
import static org.apache.parquet.schema.Types.required;
import static org.apache.parquet.schema.Types.requiredList;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/** The schema of {@code rides}, and how a {@link Ride} is written in its order. */
final class RideWriteSupport extends WriteSupport<Ride> {
  static final MessageType SCHEMA = schema();

  /** Leaf columns for which a dictionary would only cost time: nearly every value is another. */
  static final List<String> MANY_VALUED = manyValued();

  private static final String[] NAMES =
      SCHEMA.getFields().stream().map(field -> field.getName()).toArray(String[]::new);
  private static final Binary[] CITIES = named("city-%02d", Ride.CITIES);
  private static final Binary[] VENDORS = named("VENDOR_%d", Ride.VENDORS);
  private static final Binary[] PAYMENTS = named("payment-%d", Ride.PAYMENTS);

  private RecordConsumer out;
  private int column;

  private static MessageType schema() {
    List<Type> columns =
        new ArrayList<>(
            List.of(
                required(INT64).named("ride_id"),
                required(INT64).named("user_id"),
                required(INT32).named("driver_id"),
                required(BINARY).as(stringType()).named("city"),
                required(BINARY).as(enumType()).named("vendor"),
                optional(BINARY).as(stringType()).named("payment"),
                required(INT32).named("pickup_zone"),
                required(INT32).as(intType(16, true)).named("dropoff_zone"),
                required(INT64).as(timestampType(true, MICROS)).named("picked_up_at"),
                optional(INT64).as(timestampType(true, MICROS)).named("dropped_off_at"),
                required(INT32).as(dateType()).named("day"),
                required(INT32).as(decimalType(2, 9)).named("fare"),
                optional(DOUBLE).named("tip"),
                required(FLOAT).named("distance_km"),
                optional(INT32).named("duration_s"),
                required(INT32).as(intType(8, true)).named("passengers"),
                optional(INT32).as(intType(8, false)).named("rating"),
                optional(FLOAT).named("temperature"),
                optional(FLOAT).named("rain_mm"),
                optional(FLOAT).named("wind_ms"),
                required(FLOAT).named("surge"),
                required(BOOLEAN).named("is_airport"),
                required(BOOLEAN).named("is_shared"),
                required(BOOLEAN).named("is_night")));
    for (int i = 0; i < Ride.SIGNALS; i++) {
      columns.add(optional(FLOAT).named(String.format("signal_%02d", i)));
    }
    columns.add(optional(BINARY).as(stringType()).named("note"));
    columns.add(requiredList().requiredElement(FLOAT).named("embedding"));
    columns.add(optionalList().optionalElement(INT64).named("clicks"));
    columns.add(required(INT32).as(intType(8, true)).named("label"));
    return new MessageType("rides", columns);
  }

  private static List<String> manyValued() {
    List<String> paths =
        new ArrayList<>(
            List.of(
                "ride_id",
                "picked_up_at",
                "dropped_off_at",
                "distance_km",
                "temperature",
                "wind_ms",
                "note",
                "embedding.list.element"));
    for (int i = 0; i < Ride.SIGNALS; i++) {
      paths.add(String.format("signal_%02d", i));
    }
    return List.copyOf(paths);
  }

  private static Binary[] named(String format, int count) {
    Binary[] values = new Binary[count];
    for (int i = 0; i < count; i++) {
      values[i] = Binary.fromString(String.format(format, i));
    }
    return values;
  }

  @Override
  @SuppressWarnings("deprecation") // abstract still, so that it must be here
  public WriteContext init(Configuration settings) {
    return new WriteContext(SCHEMA, Map.of());
  }

  @Override
  public void prepareForWrite(RecordConsumer recordConsumer) {
    out = recordConsumer;
  }

  @Override
  public void write(Ride ride) {
    column = 0;
    out.startMessage();
    int64(ride.rideId);
    int64(ride.userId);
    int32(ride.driverId);
    binary(CITIES[ride.city]);
    binary(VENDORS[ride.vendor]);
    binary(ride.payment == Ride.NO_INT ? null : PAYMENTS[ride.payment]);
    int32(ride.pickupZone);
    int32(ride.dropoffZone);
    int64(ride.pickedUpAt);
    int64(ride.droppedOffAt);
    int32(ride.day);
    int32(ride.fareCents);
    float64(ride.tip);
    float32(ride.distanceKm);
    int32(ride.durationS);
    int32(ride.passengers);
    int32(ride.rating);
    float32(ride.temperature);
    float32(ride.rainMm);
    float32(ride.windMs);
    float32(ride.surge);
    bool(ride.airport);
    bool(ride.shared);
    bool(ride.night);
    for (float signal : ride.signals) {
      float32(signal);
    }
    binary(
        ride.noteId == Ride.NO_LONG
            ? null
            : Binary.fromString("ride note " + Long.toHexString(ride.noteId)));
    embedding(ride.embedding);
    clicks(ride.clicks, ride.clickCount);
    int32(ride.label);
    out.endMessage();
  }

  private void int32(int value) {
    if (value != Ride.NO_INT) {
      start();
      out.addInteger(value);
      end();
    }
    column++;
  }

  private void int64(long value) {
    if (value != Ride.NO_LONG) {
      start();
      out.addLong(value);
      end();
    }
    column++;
  }

  private void float32(float value) {
    if (!Float.isNaN(value)) {
      start();
      out.addFloat(value);
      end();
    }
    column++;
  }

  private void float64(double value) {
    if (!Double.isNaN(value)) {
      start();
      out.addDouble(value);
      end();
    }
    column++;
  }

  private void bool(boolean value) {
    start();
    out.addBoolean(value);
    end();
    column++;
  }

  private void binary(Binary value) {
    if (value != null) {
      start();
      out.addBinary(value);
      end();
    }
    column++;
  }

  private void embedding(float[] values) {
    start();
    out.startGroup();
    out.startField("list", 0);
    for (float value : values) {
      out.startGroup();
      out.startField("element", 0);
      out.addFloat(value);
      out.endField("element", 0);
      out.endGroup();
    }
    out.endField("list", 0);
    out.endGroup();
    end();
    column++;
  }

  /** A null list is an absent field, an empty one an empty group, a null item an empty element. */
  private void clicks(long[] values, int count) {
    if (count >= 0) {
      start();
      out.startGroup();
      if (count > 0) {
        out.startField("list", 0);
        for (int i = 0; i < count; i++) {
          out.startGroup();
          if (values[i] != Ride.NO_LONG) {
            out.startField("element", 0);
            out.addLong(values[i]);
            out.endField("element", 0);
          }
          out.endGroup();
        }
        out.endField("list", 0);
      }
      out.endGroup();
      end();
    }
    column++;
  }

  private void start() {
    out.startField(NAMES[column], column);
  }

  private void end() {
    out.endField(NAMES[column], column);
  }
}
