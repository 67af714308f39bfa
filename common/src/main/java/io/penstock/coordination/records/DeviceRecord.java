package io.penstock.coordination.records;

import java.util.Objects;

/** Who uses a device: ephemeral node {@code /hosts/<host>/devices/<ordinal>}. */
public record DeviceRecord(String application, String container, long pid) {
  public DeviceRecord {
    Objects.requireNonNull(application, "application");
    Objects.requireNonNull(container, "container");
  }
}
