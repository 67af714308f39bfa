package io.penstock.container.trainer;

import java.util.Map;

/**
 * The user's training, one object per rank, called on one thread: {@code open}, then {@code step}
 * for every batch in order, then {@code close}. Loaded by class name ({@code
 * penstock.trainer.step}); needs a public constructor without arguments.
 */
public interface TrainingStep {
  /** Called once before the first batch. */
  void open(TrainingContext context) throws Exception;

  /** Trains on one batch. What it throws ends the rank. */
  void step(Batch batch) throws Exception;

  /**
   * What to show of this rank beside the feed's own figures, such as a loss; read after each epoch
   * and at the end.
   */
  default Map<String, String> report() {
    return Map.of();
  }

  /** Called once, also after a failure. */
  default void close() throws Exception {}
}
