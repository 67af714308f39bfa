package io.penstock.feed;

import io.penstock.model.OrderSpec;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A feed file, checked as far as it can be without the data.
 *
 * @param source name of the feed file, for messages
 * @param epochs how many epochs to run, &gt;= 1; not part of the digest
 * @param tensors what a batch holds, in this order
 * @param files the files that it names, by path as written
 * @param canonical the canonical text (FEED.md, "Digest")
 * @param digest SHA-256 of the canonical text in UTF-8, 64 hex digits
 */
public record Feed(
    String source,
    DatasetSpec dataset,
    OrderSpec order,
    long epochs,
    List<TensorFeed> tensors,
    Map<String, NamedFile> files,
    String canonical,
    String digest) {
  public Feed {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(dataset, "dataset");
    Objects.requireNonNull(order, "order");
    tensors = List.copyOf(tensors);
    files = Collections.unmodifiableMap(new LinkedHashMap<>(files));
    Objects.requireNonNull(canonical, "canonical");
    Objects.requireNonNull(digest, "digest");
  }
}
