package io.penstock.am.cluster;

import io.penstock.am.core.Slot;
import io.penstock.coordination.records.RunState;

/**
 * What the ApplicationMaster's loop wants of YARN. None of it waits for an answer but {@link
 * #unregister}; answers come as events.
 */
public interface Cluster {
  /** Asks for a container. */
  void ask(long ask);

  /** Takes a request back; one that is not there is let be. */
  void withdraw(long ask);

  /** Gives a container back, whether it runs or not. */
  void release(String container);

  /** Starts a rank in a container that was allocated. */
  void launch(String container, Slot slot, int generation);

  /** Has its NodeManager stop a container. */
  void stop(String container);

  /** Tells the ResourceManager how the application ended. */
  void unregister(RunState state, String text);
}
