package io.penstock.cli.commands;

import io.penstock.model.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file that a command makes: never over one that is there unless told so.
 *
 * @param option that named it, for messages
 * @param overwrite whether {@code --force} was given
 */
record NewFile(Path path, String option, boolean overwrite) {
  /**
   * Refuses before any work is done.
   *
   * @throws UsageException if it is there, or its folder is not
   */
  void check() {
    Path folder = path.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new UsageException("there is no such folder: " + option + "=" + path);
    }
    if (Files.isDirectory(path)) {
      throw new UsageException("it is a folder: " + option + "=" + path);
    }
    if (!overwrite && Files.exists(path)) {
      throw new UsageException(
          "it is there already; --force overwrites it: " + option + "=" + path);
    }
  }

  /**
   * Writes it.
   *
   * @throws UsageException if it came to be there meanwhile, or can't be written
   */
  void write(String text) {
    check();
    try {
      Files.writeString(
          path,
          text,
          StandardOpenOption.WRITE,
          overwrite ? StandardOpenOption.CREATE : StandardOpenOption.CREATE_NEW,
          StandardOpenOption.TRUNCATE_EXISTING);
    } catch (IOException e) {
      throw new UsageException("can't write " + option + "=" + path + ": " + e.getMessage(), e);
    }
  }
}
