package io.penstock.am.core;

import io.penstock.coordination.Json;
import io.penstock.coordination.records.Agreed;
import io.penstock.coordination.records.EpochRecord;
import io.penstock.coordination.records.RankProgress;
import io.penstock.model.Cursor;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * The ApplicationMaster's ledger for tests of other packages, in place of its ZooKeeper: what is
 * told to it goes through the text of a node, and so does what it tells.
 */
public final class OpenLedger {
  private final FeedPlan plan;
  private FeedLedger ledger;
  private String node;

  /**
   * @param ranks that the job was submitted with
   */
  public OpenLedger(int ranks, int batch, long steps, long epochs, long rows) {
    this.plan = new FeedPlan(ranks, batch, steps, epochs, rows, 1);
    this.node = Json.text(Agreed.NOTHING);
    anew();
  }

  /** Another attempt of the ApplicationMaster: it knows what is stored. */
  public void anew() {
    ledger = new FeedLedger(plan, read("agreed", node, Agreed.class));
  }

  /** Begins a generation where the ranks of the ones before agreed. */
  public Cursor begin(int generation, int ranks) {
    node = Json.text(ledger.begin(generation, ranks));
    return agreed();
  }

  /**
   * Takes in what a rank wrote.
   *
   * @return the epochs that are finished by it
   */
  public List<EpochRecord> progress(String text) {
    Optional<FeedLedger.Advance> advance =
        ledger.progress(read("progress", text, RankProgress.class));
    advance.ifPresent(a -> node = Json.text(a.agreed()));
    return advance.map(FeedLedger.Advance::finished).orElse(List.of());
  }

  /** What all ranks have committed. */
  public Cursor agreed() {
    return read("agreed", node, Agreed.class).cursor();
  }

  /** Whether every rank is done with every step. */
  public boolean isComplete() {
    return ledger.isComplete();
  }

  private static <T> T read(String path, String text, Class<T> type) {
    return Json.read(path, text.getBytes(StandardCharsets.UTF_8), type);
  }
}
