package io.penstock.container.decode;

import io.penstock.config.FetchSettings;
import io.penstock.container.decode.ChunkPlaces.ChunkPlace;
import io.penstock.container.fetch.Fetch;
import io.penstock.container.fetch.Fetcher;
import io.penstock.container.fetch.FileBytes;
import io.penstock.container.fetch.MergedReads;
import io.penstock.container.fetch.MergedReads.Range;
import io.penstock.container.fetch.MergedReads.Slice;
import io.penstock.container.fetch.ReadPart;
import io.penstock.container.tensors.BlockPool;
import io.penstock.model.RowGroupRef;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Fetches the columns of row groups. Shared by fetch threads. */
public final class ParquetRowGroups {
  /** Buffers of that many reads at most are kept for reads to come. */
  private static final int KEPT_READS = 8;

  private final FooterCache footers;
  private final FetchSettings settings;
  private final BlockPool buffers;

  public ParquetRowGroups(FooterCache footers, FetchSettings settings) {
    this.footers = footers;
    this.settings = settings;
    this.buffers = new BlockPool((long) KEPT_READS * settings.maxRead());
  }

  /**
   * Reads the footer if it is not cached, and then the bytes of the columns in few large reads: the
   * body of a fetch.
   *
   * @param columns names that a feed asks by; the decoded columns come in this order
   * @throws io.penstock.model.DataException if the footer is broken, or does not have what is asked
   */
  public RowGroupChunks fetch(FileBytes file, RowGroupRef rowGroup, List<String> columns)
      throws IOException {
    List<ChunkPlace> places = ChunkPlaces.of(footers.of(file), rowGroup, columns);
    List<Slice> slices = MergedReads.read(file, ranges(places), settings, buffers::take);
    List<ChunkBytes> fetched = new ArrayList<>(places.size());
    for (int k = 0; k < places.size(); k++) {
      fetched.add(ChunkBytes.of(places.get(k), slices.get(k).buffer(), slices.get(k).offset()));
    }
    return new FetchedChunks(rowGroup, fetched, buffers);
  }

  /**
   * Starts a fetch of columns that are decoded in this order, each once. It is done when their
   * first part is there. By then as much is being read as may be in memory undecoded, and the rest
   * is read while columns are decoded.
   *
   * @param columns names that a feed asks by
   */
  public Fetch<RowGroupChunks> start(
      Fetcher fetcher, RowGroupRef rowGroup, List<String> columns, ReadAhead ahead) {
    return new StreamedFetch(
        fetcher,
        rowGroup,
        (file, rest) -> {
          List<ChunkPlace> places = ChunkPlaces.of(footers.of(file), rowGroup, columns);
          List<ReadPart> parts =
              ReadPart.of(ranges(places), settings.mergeGap(), ahead.partBytes());
          ChunkStream stream =
              new ChunkStream(rowGroup, places, parts, buffers, ahead.bytes(), rest);
          stream.begin(file);
          return stream;
        });
  }

  private static List<Range> ranges(List<ChunkPlace> places) {
    return places.stream().map(place -> new Range(place.position(), place.length())).toList();
  }
}
