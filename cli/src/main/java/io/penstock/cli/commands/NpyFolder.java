package io.penstock.cli.commands;

import io.penstock.container.slots.Slot;
import io.penstock.container.slots.SlotLayout;
import io.penstock.model.TensorSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Batches as one {@code .npy} file a tensor, the steps end to end. */
final class NpyFolder implements BatchSink {
  private final List<NpyFile> files = new ArrayList<>();

  private NpyFolder() {}

  /**
   * Makes the folder if need be, and the files.
   *
   * @param steps how many batches will come
   */
  static NpyFolder create(Path folder, SlotLayout layout, long steps) throws IOException {
    Files.createDirectories(folder);
    NpyFolder all = new NpyFolder();
    try {
      for (TensorSpec part : layout.parts()) {
        all.files.add(
            NpyFile.create(
                folder.resolve(part.name() + ".npy"),
                part.dtype(),
                shape(part, steps * layout.rows())));
      }
      return all;
    } catch (IOException | RuntimeException e) {
      try {
        all.close();
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  /** Rows, then the axes of an item. */
  static List<Long> shape(TensorSpec part, long rows) {
    List<Long> shape = new ArrayList<>(List.of(rows));
    part.itemShape().forEach(axis -> shape.add((long) axis));
    return shape;
  }

  @Override
  public void accept(Slot slot) throws IOException {
    for (int part = 0; part < files.size(); part++) {
      files.get(part).write(slot.memory(), slot.layout().offset(part), slot.layout().length(part));
    }
  }

  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (NpyFile file : files) {
      try {
        file.close();
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
