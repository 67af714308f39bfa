package io.penstock.container.tensors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.model.DType;
import io.penstock.model.TensorSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlockPoolTest {
  @Test
  void aBlockGivenBackIsTheNextOneOfItsLength() {
    BlockPool pool = new BlockPool(1000);
    byte[] block = pool.take(160);
    assertEquals(160, block.length);
    pool.giveBack(block, null, new byte[0]);
    assertSame(block, pool.take(160));
    assertNotSame(block, pool.take(160));
  }

  @Test
  void aBlockMayBeASixteenthLongerAndNoMore() {
    BlockPool pool = new BlockPool(1000);
    byte[] block = new byte[160];
    pool.giveBack(block);
    assertEquals(149, pool.take(149).length);
    assertEquals(161, pool.take(161).length);
    assertSame(block, pool.take(150));
  }

  @Test
  void noMoreThanTheCapacityIsKept() {
    BlockPool pool = new BlockPool(100);
    byte[] small = new byte[40];
    byte[] large = new byte[70];
    byte[] tooLarge = new byte[101];
    pool.giveBack(small, large, tooLarge);
    assertSame(large, pool.take(70));
    assertNotSame(small, pool.take(40));
    assertNotSame(tooLarge, pool.take(101));
  }

  @Test
  void tensorsHaveTheirRowsBytesWhateverTheirBlocksHave() {
    List<TensorSpec> specs =
        List.of(
            new TensorSpec("x", DType.INT16, List.of(3)),
            new TensorSpec("y", DType.BOOL, List.of()));
    RowGroupTensors tensors =
        RowGroupTensors.of(2, specs, new byte[][] {new byte[13], new byte[2]});
    assertEquals(12, tensors.bytes(0));
    assertEquals(14, tensors.bytes());
    assertThrows(
        IllegalArgumentException.class,
        () -> RowGroupTensors.of(2, specs, new byte[][] {new byte[11], new byte[2]}));
  }
}
