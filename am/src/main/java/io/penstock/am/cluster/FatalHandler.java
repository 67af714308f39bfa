package io.penstock.am.cluster;

/** Told that this ApplicationMaster can't go on, though the application may with another one. */
@FunctionalInterface
public interface FatalHandler {
  void fatal(String reason);
}
