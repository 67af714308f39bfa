package io.penstock.cli.commands;

import io.penstock.container.slots.Slot;
import java.io.IOException;

/** Where peeked batches go. */
interface BatchSink extends AutoCloseable {
  /** Takes a batch; its memory is used again afterwards. */
  void accept(Slot slot) throws IOException;

  @Override
  void close() throws IOException;
}
