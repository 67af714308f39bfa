package io.penstock.cli.commands;

import io.penstock.cli.past.RecordedFeed;
import io.penstock.coordination.records.EpochRecord;
import io.penstock.history.Block;
import io.penstock.model.Cursor;
import io.penstock.model.Digest128;
import io.penstock.model.OrderSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A job's certificate as JSON, for {@code python -m penstock.order verify}. */
final class CertificateJson {
  private static final int VERSION = 1;

  private CertificateJson() {}

  static Map<String, Object> of(RecordedFeed feed) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("penstock", VERSION);
    json.put("job", feed.application());
    json.put("feed", feed.spec().feedDigest());
    json.put("order", order(feed.prepared().plan().order()));
    json.put("row_groups", feed.prepared().catalog().rowCounts());
    List<Map<String, Object>> epochs = new ArrayList<>();
    for (EpochRecord epoch : feed.epochs()) {
      Map<String, Object> part = part(epoch.epoch(), epoch.steps());
      part.put("delivered_again", epoch.deliveredAgain());
      digests(part, epoch.order(), epoch.values());
      part.put("blocks", blocks(feed.blocks(epoch.epoch()), epoch.steps()));
      epochs.add(part);
    }
    if (feed.agreed().cursor().step() > 0) {
      Map<String, Object> part =
          part(feed.agreed().cursor().epoch(), feed.prepared().plan().steps());
      part.put("from_step", 0);
      part.put("to_step", feed.agreed().cursor().step());
      digests(part, feed.agreed().sums().order(), feed.agreed().sums().values());
      Cursor cursor = feed.agreed().cursor();
      part.put("blocks", blocks(feed.blocks(cursor.epoch()), cursor.step()));
      epochs.add(part);
    }
    json.put("epochs", epochs);
    return json;
  }

  private static Map<String, Object> part(long epoch, long steps) {
    Map<String, Object> part = new LinkedHashMap<>();
    part.put("epoch", epoch);
    part.put("steps", steps);
    return part;
  }

  /** Those that lie within the first steps of an epoch. */
  private static List<Map<String, Object>> blocks(List<Block> known, long steps) {
    List<Map<String, Object>> blocks = new ArrayList<>();
    for (Block block : known) {
      if (block.to() <= steps) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("from_step", block.from());
        json.put("to_step", block.to());
        digests(json, block.sums().order(), block.sums().values());
        blocks.add(json);
      }
    }
    return blocks;
  }

  private static void digests(Map<String, Object> part, Digest128 order, Digest128 values) {
    part.put("order", order.hex());
    if (!values.equals(Digest128.ZERO)) {
      part.put("values", values.hex());
    }
  }

  private static Map<String, Object> order(OrderSpec spec) {
    Map<String, Object> order = new LinkedHashMap<>();
    order.put("seed", spec.seed());
    order.put("lanes", spec.lanes());
    order.put("batch", spec.batch());
    order.put("window", spec.window());
    order.put("shuffle", spec.shuffle().text());
    order.put("deal", spec.deal().text());
    order.put("remainder", spec.remainder().text());
    return order;
  }
}
