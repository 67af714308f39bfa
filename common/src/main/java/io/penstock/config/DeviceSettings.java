package io.penstock.config;

/**
 * Where batches are handed to the training step.
 *
 * @param buffers batches on the device at a time
 */
public record DeviceSettings(Kind kind, int buffers) {
  /** What kind of memory. */
  public enum Kind {
    /** A GPU if the container asked for one and there is one, else host memory. */
    AUTO,
    /** Host memory. */
    HOST
  }

  static DeviceSettings from(SettingsReader reader) {
    return new DeviceSettings(reader.get(Known.DEVICE_KIND), reader.get(Known.DEVICE_BUFFERS));
  }
}
