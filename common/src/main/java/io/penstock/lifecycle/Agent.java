package io.penstock.lifecycle;

/**
 * Work that is done step by step. Production gives it a thread ({@link AgentRunner}); tests call
 * the steps by hand. All methods but {@link #wake()} are called by one thread.
 */
public interface Agent {
  /** Whether there is a next step. */
  enum Next {
    AGAIN,
    END
  }

  /** Names the thread. */
  String role();

  /** Before the first step. */
  default void onStart() throws Exception {}

  /** One step; may block where {@link #wake()} ends the wait. */
  Next doWork() throws Exception;

  /**
   * Makes a step that blocks now or later return soon. Called by another thread, any number of
   * times; must not block.
   */
  void wake();

  /** After the last step, also when {@link #onStart()} or a step has failed. */
  default void onClose() throws Exception {}
}
