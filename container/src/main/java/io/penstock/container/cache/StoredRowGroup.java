package io.penstock.container.cache;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What is kept about a row group that is held whole.
 *
 * <pre>
 *   rows     int32
 *   parts   int32
 *   parts x file int32 | offset int32 | length int32 | CRC-32C int32
 *   reason   UTF-8, to the end
 * </pre>
 *
 * All numbers are big-endian.
 *
 * @param rows its rows
 * @param places of its parts: the first tensor's first to last byte, then the next one's, and the
 *     row values', if there are any; none if it is quarantined
 * @param reason why it is quarantined; empty for a good one
 */
record StoredRowGroup(int rows, List<LogPlace> places, String reason) {
  StoredRowGroup {
    places = List.copyOf(places);
  }

  byte[] toBytes() {
    byte[] text = reason.getBytes(StandardCharsets.UTF_8);
    ByteBuffer to =
        ByteBuffer.allocate(2 * Integer.BYTES + places.size() * LogPlace.BYTES + text.length);
    to.putInt(rows).putInt(places.size());
    for (LogPlace place : places) {
      to.putInt(place.file()).putInt(place.offset());
      to.putInt(place.length()).putInt(place.checksum());
    }
    return to.put(text).array();
  }

  static StoredRowGroup from(ByteBuffer bytes) {
    int rows = bytes.getInt();
    int parts = bytes.getInt();
    List<LogPlace> places = new ArrayList<>();
    for (int part = 0; part < parts; part++) {
      places.add(new LogPlace(bytes.getInt(), bytes.getInt(), bytes.getInt(), bytes.getInt()));
    }
    return new StoredRowGroup(rows, places, StandardCharsets.UTF_8.decode(bytes).toString());
  }
}
