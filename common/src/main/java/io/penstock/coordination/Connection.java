package io.penstock.coordination;

/** What is known about the connection to ZooKeeper. */
public enum Connection {
  CONNECTED,
  /** Not connected at the moment: what is assigned stays so, and nothing new is known. */
  SUSPENDED,
  /** The session has ended, and with it all ephemeral nodes: others may have taken over. */
  LOST
}
