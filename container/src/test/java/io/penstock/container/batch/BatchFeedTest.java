package io.penstock.container.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.container.load.WindowFeed;
import io.penstock.container.ordered.Budget;
import io.penstock.container.ordered.StageSettings;
import io.penstock.container.slots.FullSlots;
import io.penstock.container.slots.Slot;
import io.penstock.container.slots.SlotLayout;
import io.penstock.container.slots.SlotRing;
import io.penstock.container.tensors.RowGroupSource;
import io.penstock.container.tensors.RowGroupTensors;
import io.penstock.lifecycle.SystemClock;
import io.penstock.model.Cursor;
import io.penstock.model.DType;
import io.penstock.model.DataException;
import io.penstock.model.Deal;
import io.penstock.model.Digest128;
import io.penstock.model.OrderSpec;
import io.penstock.model.RankSlice;
import io.penstock.model.Remainder;
import io.penstock.model.RowGroupRef;
import io.penstock.model.Shuffle;
import io.penstock.model.TensorSpec;
import io.penstock.plan.DigestSums;
import io.penstock.plan.EpochSummary;
import io.penstock.plan.GlobalBatch;
import io.penstock.plan.GlobalOrder;
import io.penstock.plan.Plan;
import io.penstock.plan.RankPlan;
import io.penstock.plan.RowValue;
import io.penstock.plan.XxHash64;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** Loading and filling together, over row groups whose bytes tell which row they are. */
class BatchFeedTest {
  private static final int WIDTH = 3;
  private static final List<TensorSpec> SPECS =
      List.of(
          new TensorSpec("wide", DType.INT32, List.of(WIDTH)),
          new TensorSpec("small", DType.UINT8, List.of()),
          new TensorSpec("whole", DType.INT64, List.of()),
          new TensorSpec("single", DType.FLOAT32, List.of()));
  private static final int ROW_BYTES = WIDTH * 4 + 1 + 8 + 4 + RowGroupTensors.ROW_VALUE_BYTES;

  @Property(tries = 120, seed = "20260101")
  void everyShapeDeliversThePlansRowsAtTheirPositions(@ForAll @LongRange(min = 0) long seed) {
    Random random = new Random(seed);
    int[] rows = new int[1 + random.nextInt(9)];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = 1 + random.nextInt(60);
    }
    int lanes = 1 + random.nextInt(4);
    int batch = lanes * (1 + random.nextInt(6));
    OrderSpec order =
        new OrderSpec(
            random.nextInt(1000),
            lanes,
            batch,
            1 + random.nextInt(4),
            Shuffle.values()[random.nextInt(3)],
            Deal.values()[random.nextInt(2)],
            Remainder.values()[random.nextInt(2)]);
    if (total(rows) / lanes < batch / lanes) {
      return;
    }
    Plan plan = new Plan(order, rows);
    List<Integer> divisors = new ArrayList<>();
    for (int w = 1; w <= batch; w++) {
      if (batch % w == 0) {
        divisors.add(w);
      }
    }
    int ranks = divisors.get(random.nextInt(divisors.size()));
    long epochs = 1 + random.nextInt(3);
    Cursor start = new Cursor(random.nextInt((int) epochs), random.nextLong(plan.steps()));
    Digest128[] sums = new Digest128[(int) epochs];
    java.util.Arrays.fill(sums, Digest128.ZERO);
    int delivered = 0;
    for (int rank = 0; rank < ranks; rank++) {
      delivered += checkRank(plan, new RankSlice(rank, ranks), start, epochs, sums, random);
    }
    long steps = plan.steps() * (epochs - start.epoch()) - start.step();
    assertEquals(steps * batch, delivered);
    for (long epoch = start.epoch(); epoch < epochs; epoch++) {
      if (epoch > start.epoch() || start.step() == 0) {
        assertEquals(
            EpochSummary.of(plan.epoch(epoch)).orderDigest(), sums[(int) epoch], "epoch " + epoch);
      }
    }
  }

  private static int checkRank(
      Plan plan, RankSlice slice, Cursor start, long epochs, Digest128[] sums, Random random) {
    RankPlan rankPlan = new RankPlan(plan, slice);
    Source source = new Source(plan);
    // The least that the contract promises to suffice: one step's windows and the largest piece.
    long most = 0;
    for (int g = 0; g < plan.rowGroups(); g++) {
      most = Math.max(most, plan.rowsOf(g));
    }
    long windows = 0;
    for (long epoch = 0; epoch < epochs; epoch++) {
      windows = Math.max(windows, rankPlan.peakWindowRows(plan.epoch(epoch)));
    }
    long memory = (windows + most) * ROW_BYTES;
    try (Budget budget = Budget.ofBytes(memory)) {
      int delivered = 0;
      try (BatchFeed feed = feed(rankPlan, start, new Cursor(epochs, 0), source, budget, random)) {
        feed.start();
        int batch = plan.order().batch();
        for (long epoch = start.epoch(); epoch < epochs; epoch++) {
          GlobalOrder expected =
              new GlobalOrder(plan.epoch(epoch), epoch == start.epoch() ? start.step() : 0);
          while (expected.hasNext()) {
            GlobalBatch global = expected.next();
            try (FullSlots.FullSlot full = feed.take().orElseThrow()) {
              Slot slot = full.slot();
              assertEquals(epoch, slot.record().epoch());
              assertEquals(global.step(), slot.record().step());
              sums[(int) epoch] = sums[(int) epoch].plus(slot.record().order());
              assertEquals(valuesOf(slot), slot.record().values());
              for (int i = slice.from(batch); i < slice.to(batch); i++) {
                checkRow(
                    slot,
                    i - slice.from(batch),
                    global.rows()[i],
                    global.valid()[i],
                    global.firstPosition() + i);
                delivered++;
              }
            }
          }
        }
        assertTrue(feed.take().isEmpty());
      }
      assertEquals(0, budget.used(), "all memory is given back");
      return delivered;
    }
  }

  /** The values digest of a slot from its bytes alone. */
  private static Digest128 valuesOf(Slot slot) {
    SlotLayout layout = slot.layout();
    DigestSums sums = new DigestSums(slot.record().epoch());
    for (int i = 0; i < layout.rows(); i++) {
      boolean valid = slot.memory().get(layout.validOffset() + i) == 1;
      long value = valid ? RowValue.VALID : RowValue.NOT_VALID;
      for (int k = 0; k < SPECS.size(); k++) {
        byte[] row = new byte[SPECS.get(k).rowBytes()];
        slot.memory().get(layout.offset(k) + i * row.length, row);
        value = RowValue.next(value, XxHash64.hash(row, 0, row.length, k));
      }
      sums.add(slot.record().firstPosition() + i, value);
    }
    return sums.digest();
  }

  @Test
  void aRowThatChangedAfterLoadingIsNotDelivered() {
    Plan plan =
        new Plan(
            new OrderSpec(5, 1, 16, 1, Shuffle.NONE, Deal.FIXED, Remainder.DROP),
            new int[] {32, 32});
    Source source = new Source(plan);
    source.changed = 1;
    try (Budget budget = Budget.ofBytes(1 << 20);
        BatchFeed feed = oneRank(plan, source, budget)) {
      feed.start();
      feed.take().orElseThrow().close();
      feed.take().orElseThrow().close();
      IllegalStateException e =
          assertThrows(IllegalStateException.class, () -> feed.take().orElseThrow().close());
      assertTrue(e.getMessage().contains("epoch 0 step 2 position 34: row 34 of"), e.getMessage());
    }
  }

  private static void checkRow(Slot slot, int i, long row, boolean valid, long position) {
    SlotLayout layout = slot.layout();
    ByteBuffer memory = slot.memory();
    assertEquals(row, memory.getLong(layout.rowOffset() + i * 8));
    assertEquals(position, memory.getLong(layout.positionOffset() + i * 8));
    assertEquals(valid ? 1 : 0, memory.get(layout.validOffset() + i));
    for (int k = 0; k < WIDTH; k++) {
      assertEquals((int) row * 7 + k, memory.getInt(layout.offset(0) + (i * WIDTH + k) * 4));
    }
    assertEquals((byte) row, memory.get(layout.offset(1) + i));
    assertEquals(row * 1_000_003, memory.getLong(layout.offset(2) + i * 8));
    assertEquals((float) row, memory.getFloat(layout.offset(3) + i * 4));
  }

  @Test
  void seekingOpensNoRowGroupWithoutARowOfTheStepOrLater() {
    int[] rows = {40, 40, 40, 40, 40, 40};
    Plan plan = new Plan(new OrderSpec(5, 2, 8, 2, Shuffle.ROWS, Deal.FIXED, Remainder.DROP), rows);
    RankPlan rank = new RankPlan(plan, new RankSlice(0, 1));
    for (long step = 0; step < plan.steps(); step++) {
      BitSet needed = new BitSet();
      GlobalOrder rest = new GlobalOrder(plan.epoch(1), step);
      while (rest.hasNext()) {
        for (long row : rest.next().rows()) {
          needed.set((int) row / 40);
        }
      }
      Source source = new Source(plan);
      try (Budget budget = Budget.ofBytes(1 << 20);
          BatchFeed feed =
              feed(rank, new Cursor(1, step), new Cursor(2, 0), source, budget, new Random(step))) {
        feed.start();
        for (Optional<FullSlots.FullSlot> next = feed.take();
            next.isPresent();
            next = feed.take()) {
          next.get().close();
        }
      }
      BitSet opened = new BitSet();
      source.opened.forEach(opened::set);
      assertEquals(needed, opened, "from step " + step);
    }
  }

  @Test
  void whatABadRowGroupThrowsReachesTheConsumer() {
    Plan plan =
        new Plan(
            new OrderSpec(5, 1, 4, 1, Shuffle.NONE, Deal.FIXED, Remainder.DROP),
            new int[] {8, 8, 8});
    Source source = new Source(plan);
    source.bad = 1;
    try (Budget budget = Budget.ofBytes(1 << 20);
        BatchFeed feed = oneRank(plan, source, budget)) {
      feed.start();
      DataException e =
          assertThrows(
              DataException.class,
              () -> {
                while (true) {
                  feed.take().orElseThrow().close();
                }
              });
      assertTrue(e.getMessage().contains("file part-1"), e.getMessage());
    }
  }

  @Test
  void rowsOfAQuarantinedRowGroupKeepTheirPositionsAndAreNotValid() {
    Plan plan =
        new Plan(
            new OrderSpec(5, 1, 4, 1, Shuffle.NONE, Deal.FIXED, Remainder.DROP), new int[] {4, 4});
    Source source = new Source(plan);
    source.quarantined = 1;
    try (Budget budget = Budget.ofBytes(1 << 20);
        BatchFeed feed = oneRank(plan, source, budget)) {
      feed.start();
      feed.take().orElseThrow().close();
      try (FullSlots.FullSlot full = feed.take().orElseThrow()) {
        Slot slot = full.slot();
        for (int i = 0; i < 4; i++) {
          assertEquals(0, slot.memory().get(slot.layout().validOffset() + i));
          assertEquals(4 + i, slot.memory().getLong(slot.layout().rowOffset() + i * 8));
          assertEquals(0, slot.memory().getInt(slot.layout().offset(0) + i * WIDTH * 4));
        }
        assertEquals(0, slot.record().rowsFromStorage());
      }
    }
  }

  @Test
  void closingInTheMiddleEndsAllThreadsAndGivesBackAllMemory() throws InterruptedException {
    Plan plan =
        new Plan(
            new OrderSpec(5, 2, 4, 3, Shuffle.ROWS, Deal.EPOCH, Remainder.PAD),
            new int[] {30, 50, 20, 40});
    Source source = new Source(plan);
    try (Budget budget = Budget.ofBytes(1 << 20)) {
      try (BatchFeed feed =
          feed(
              new RankPlan(plan, new RankSlice(1, 2)),
              Cursor.START,
              new Cursor(50, 0),
              source,
              budget,
              new Random(1))) {
        feed.start();
        for (int i = 0; i < 7; i++) {
          feed.take().orElseThrow().close();
        }
      }
      assertEquals(0, budget.used());
    }
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("load-7") || thread.getName().startsWith("batch-7")) {
        // Quiet by now, but the JVM may still be taking it down.
        thread.join(10_000);
        assertFalse(thread.isAlive(), thread::getName);
      }
    }
  }

  /** The first epoch, all of it for one rank. */
  private static BatchFeed oneRank(Plan plan, Source source, Budget budget) {
    RankPlan rank = new RankPlan(plan, new RankSlice(0, 1));
    return feed(rank, Cursor.START, new Cursor(1, 0), source, budget, new Random(1));
  }

  private static BatchFeed feed(
      RankPlan plan, Cursor start, Cursor end, Source source, Budget budget, Random random) {
    Duration deadline = Duration.ofSeconds(20);
    WindowFeed windows =
        new WindowFeed(
            plan,
            start,
            end.epoch(),
            source::ref,
            source,
            budget,
            new StageSettings(
                "load-7",
                1 + random.nextInt(4),
                1 + random.nextInt(3),
                random.nextInt(4),
                deadline,
                deadline),
            SystemClock.INSTANCE);
    SlotRing ring = new SlotRing(new SlotLayout(SPECS, plan.rowsPerStep()), 1 + random.nextInt(4));
    return new BatchFeed(
        plan,
        start,
        end,
        windows,
        ring,
        ValuesDigest.ON,
        new StageSettings(
            "batch-7", 1 + random.nextInt(4), 1 + random.nextInt(3), 0, deadline, deadline),
        SystemClock.INSTANCE);
  }

  private static long total(int[] rows) {
    long sum = 0;
    for (int n : rows) {
      sum += n;
    }
    return sum;
  }

  /** Makes the tensors of row groups from their rows' numbers. */
  private static final class Source implements RowGroupSource {
    private final Plan plan;
    private final Set<Integer> opened = ConcurrentHashMap.newKeySet();
    private final AtomicInteger readers = new AtomicInteger();
    private int bad = -1;
    private int quarantined = -1;
    private int changed = -1;

    Source(Plan plan) {
      this.plan = plan;
    }

    RowGroupRef ref(int index) {
      return new RowGroupRef(index, "part-" + index, 0, plan.rowsOf(index));
    }

    @Override
    public Request request(RowGroupRef rowGroup) {
      return new Request() {
        @Override
        public RowGroupRef rowGroup() {
          return rowGroup;
        }

        @Override
        public void cancel() {}
      };
    }

    @Override
    public Reader newReader() {
      readers.incrementAndGet();
      return new Reader() {
        @Override
        public Loaded read(Request request) {
          return new Loaded(tensors(request.rowGroup()), Origin.STORAGE, 0);
        }

        @Override
        public void close() {
          readers.decrementAndGet();
        }
      };
    }

    /** What is still looked at after this shows. */
    @Override
    public void giveBack(RowGroupTensors tensors) {
      for (byte[] block : tensors.blocks()) {
        Arrays.fill(block, (byte) 0x5a);
      }
    }

    private RowGroupTensors tensors(RowGroupRef rowGroup) {
      opened.add(rowGroup.index());
      if (rowGroup.index() == bad) {
        throw new DataException(DataException.Place.of(rowGroup), "page 3 is cut short");
      }
      int rows = rowGroup.rows();
      if (rowGroup.index() == quarantined) {
        return RowGroupTensors.quarantined(rows, SPECS, "bad");
      }
      ByteBuffer[] blocks = new ByteBuffer[SPECS.size()];
      for (int k = 0; k < blocks.length; k++) {
        blocks[k] =
            ByteBuffer.allocate(rows * SPECS.get(k).rowBytes()).order(ByteOrder.LITTLE_ENDIAN);
      }
      for (int i = 0; i < rows; i++) {
        long row = plan.firstRowOf(rowGroup.index()) + i;
        for (int k = 0; k < WIDTH; k++) {
          blocks[0].putInt((int) row * 7 + k);
        }
        blocks[1].put((byte) row);
        blocks[2].putLong(row * 1_000_003);
        blocks[3].putFloat(row);
      }
      byte[][] arrays = new byte[blocks.length][];
      for (int k = 0; k < arrays.length; k++) {
        arrays[k] = blocks[k].array();
      }
      RowGroupTensors tensors = RowGroupTensors.of(rows, SPECS, arrays);
      if (rowGroup.index() % 3 == 2) {
        return tensors;
      }
      byte[] values = new byte[rows * RowGroupTensors.ROW_VALUE_BYTES];
      RowValue.ofRows(
          rows, arrays, SPECS.stream().mapToInt(TensorSpec::rowBytes).toArray(), values);
      if (rowGroup.index() == changed) {
        for (int i = 0; i < rows; i++) {
          arrays[1][i] ^= 1;
        }
      }
      return tensors.withRowValues(values);
    }

    @Override
    public long peakBytes(RowGroupRef rowGroup) {
      return (long) rowGroup.rows() * ROW_BYTES;
    }
  }
}
