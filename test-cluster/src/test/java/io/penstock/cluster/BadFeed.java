package io.penstock.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A feed with one thing wrong with it.
 *
 * @param sentence what is wrong
 * @param text the feed file; DATA stands for the folder that {@code data} writes into
 * @param data writes the dataset
 * @param named what the message must name
 */
record BadFeed(String sentence, String text, Data data, List<String> named) {
  /** Writes a dataset into a folder that is not there yet. */
  interface Data {
    void write(Path folder) throws IOException;
  }

  private static final String ORDER = "seed: 1, lanes: 2, batch: 10";
  private static final String TENSORS = "x: {column: x, dtype: int64, ops: [{fill: 0}]}";

  static BadFeed ofText(String sentence, String text, String... named) {
    return new BadFeed(sentence, text, SmallParquet.good(100), List.of(named));
  }

  static BadFeed ofOrder(String sentence, String order, String... named) {
    return ofText(sentence, feed(order, TENSORS), named);
  }

  static BadFeed ofTensor(String sentence, String tensors, String... named) {
    return ofText(sentence, feed(ORDER, tensors), named);
  }

  static BadFeed ofData(String sentence, Data data, String... named) {
    return new BadFeed(sentence, feed(ORDER, TENSORS), data, List.of(named));
  }

  static String feed(String order, String tensors) {
    return "penstock: 1\ndataset: {paths: [\"DATA\"]}\norder: {%s}\ntensors: {%s}\n"
        .formatted(order, tensors);
  }

  /** Writes all of it, and returns the feed file. */
  Path write(Path folder) throws IOException {
    Path root = folder.resolve("data");
    data.write(root);
    return Files.writeString(folder.resolve("feed.yaml"), text.replace("DATA", "file://" + root));
  }

  @Override
  public String toString() {
    return sentence;
  }
}
