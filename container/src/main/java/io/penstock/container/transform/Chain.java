package io.penstock.container.transform;

import io.penstock.feed.Op;
import io.penstock.model.ColumnType;
import io.penstock.model.UsageException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The way of one column's values through its ops, for the type that a file gives them. What comes
 * after {@code decode} depends on what the bytes hold, so it is compiled when that is known;
 * belongs to one transformer.
 */
final class Chain {
  private final String path;
  private final Loading loading;
  private final Optional<Steps> beforeDecoding;
  private final Optional<ArrayDecoder> decoder;
  private final List<Op> itemOps;
  private final Vocabularies vocabularies;
  private final Map<Items, ItemOps> compiled = new ConcurrentHashMap<>();

  /** What a column's items can be. */
  private record Items(Form form, int axes) {}

  private Chain(
      String path,
      Loading loading,
      Optional<Steps> beforeDecoding,
      Optional<ArrayDecoder> decoder,
      List<Op> itemOps,
      Vocabularies vocabularies) {
    this.vocabularies = vocabularies;
    this.path = path;
    this.loading = loading;
    this.beforeDecoding = beforeDecoding;
    this.decoder = decoder;
    this.itemOps = itemOps;
  }

  /**
   * @param ops none of them {@code class}
   * @throws UsageException if an op does not take what it would get
   */
  static Chain compile(String path, List<Op> ops, ColumnType type, Vocabularies vocabularies) {
    boolean unscaled = !ops.isEmpty() && ops.get(0) instanceof Op.Unscaled;
    Loading loading =
        Loading.of(type, unscaled ? Loading.Decimals.UNSCALED : Loading.Decimals.NEAREST);
    List<Op> rest = List.copyOf(unscaled ? ops.subList(1, ops.size()) : ops);
    for (int i = 0; i < rest.size(); i++) {
      Optional<ArrayDecoder> decoder = decoder(rest.get(i));
      if (decoder.isPresent()) {
        Steps before =
            StepCompiler.compile(rest.subList(0, i), path, loading.form(), vocabularies, List.of());
        if (before.out() != Form.BYTES || type.listDepth() > 0) {
          throw new UsageException(
              "decode takes bytes without lists: column=" + path + " type=" + type);
        }
        Chain chain =
            new Chain(
                path,
                loading,
                Optional.of(before),
                decoder,
                rest.subList(i + 1, rest.size()),
                vocabularies);
        if (decoder.get() instanceof ImageDecoder) {
          chain.itemOps(Form.WHOLE, 3);
        }
        return chain;
      }
    }
    Chain chain = new Chain(path, loading, Optional.empty(), Optional.empty(), rest, vocabularies);
    chain.itemOps(loading.form(), type.listDepth());
    return chain;
  }

  private static Optional<ArrayDecoder> decoder(Op op) {
    if (op instanceof Op.DecodeImage image) {
      return Optional.of(
          new ImageDecoder(image.height(), image.width(), image.channels(), image.resize()));
    }
    return op instanceof Op.DecodeNpy ? Optional.of(new NpyDecoder()) : Optional.empty();
  }

  Loading loading() {
    return loading;
  }

  /** The op {@code decode}, if there is one. */
  Optional<ArrayDecoder> decoder() {
    return decoder;
  }

  /** Whether {@code fill} comes after {@code decode}. */
  boolean fillsArrays() {
    return decoder.isPresent() && itemOps.stream().anyMatch(Op.Fill.class::isInstance);
  }

  /** What happens to bytes before they are decoded. */
  Steps beforeDecoding() {
    return beforeDecoding.orElseThrow();
  }

  /** What happens to the items of a column that is not decoded. */
  ItemOps itemOps() {
    return itemOps(loading.form(), loading.type().listDepth());
  }

  /**
   * What happens to the items of arrays.
   *
   * @throws UsageException if an op does not take them
   */
  ItemOps itemOps(Form form, int axes) {
    return compiled.computeIfAbsent(
        new Items(form, axes), items -> ItemOps.compile(itemOps, path, form, axes, vocabularies));
  }
}
