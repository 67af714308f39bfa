package io.penstock.cli.commands;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.feed.BoundFeed;
import io.penstock.feed.Feed;
import io.penstock.feed.FeedParser;
import io.penstock.feed.NamedFiles;
import io.penstock.feed.Op;
import io.penstock.feed.TensorFeed;
import io.penstock.model.ColumnSchema;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A feed whose statistics and vocabularies are yet to be learnt: whether the files that it names
 * are there or not, they are not read. Others stand in for them, which fit whatever the dataset
 * has.
 */
final class UnlearntFeed {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** As statistics, of no column; as a vocabulary, one word. */
  static final NamedFiles NOTHING_LEARNT =
      path -> "{\"columns\": {}}\n".getBytes(StandardCharsets.UTF_8);

  private UnlearntFeed() {}

  /**
   * Binds a feed that was parsed with {@link #NOTHING_LEARNT}.
   *
   * @throws io.penstock.model.UsageException if feed and schema do not fit each other
   */
  static BoundFeed bind(Feed feed, String text, List<ColumnSchema> schema) {
    Set<String> statistics =
        feed.tensors().stream()
            .map(TensorFeed::ops)
            .flatMap(List::stream)
            .filter(Op.Standardize.class::isInstance)
            .flatMap(op -> ((Op.Standardize) op).file().stream())
            .collect(Collectors.toSet());
    byte[] ofAll = statistics(schema);
    byte[] word = "0\n".getBytes(StandardCharsets.UTF_8);
    Feed standIn =
        FeedParser.parse(text, feed.source(), path -> statistics.contains(path) ? ofAll : word);
    return BoundFeed.bind(standIn, schema);
  }

  private static byte[] statistics(List<ColumnSchema> schema) {
    ObjectNode columns = JSON.createObjectNode();
    for (ColumnSchema column : schema) {
      columns.putObject(column.path()).put("mean", 0).put("std", 1);
    }
    return JSON.createObjectNode()
        .set("columns", columns)
        .toString()
        .getBytes(StandardCharsets.UTF_8);
  }
}
