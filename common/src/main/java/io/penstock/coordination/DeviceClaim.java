package io.penstock.coordination;

import io.penstock.coordination.records.DeviceRecord;

/** A device that nobody else on its host uses, until this is closed or the session ends. */
public final class DeviceClaim implements AutoCloseable {
  private final Coordination coordination;
  private final String host;
  private final int ordinal;
  private final String path;
  private final DeviceRecord owner;

  DeviceClaim(
      Coordination coordination, String host, int ordinal, String path, DeviceRecord owner) {
    this.coordination = coordination;
    this.host = host;
    this.ordinal = ordinal;
    this.path = path;
    this.owner = owner;
  }

  /** The host whose device it is. */
  public String host() {
    return host;
  }

  String path() {
    return path;
  }

  DeviceRecord owner() {
    return owner;
  }

  /** The device's number on its host, from 0. */
  public int ordinal() {
    return ordinal;
  }

  /**
   * Claims the same device again after the session was lost.
   *
   * @return whether nobody else has taken it
   */
  public boolean renew() {
    return coordination.createEphemeral(path, owner);
  }

  /** Frees the device. */
  @Override
  public void close() {
    coordination.release(this);
  }
}
