package io.penstock.container.transform;

import io.penstock.plan.XxHash64;

/**
 * The op {@code hash}: XXH64, unsigned, modulo the number of buckets.
 *
 * @param buckets 1 to 2^63 - 1
 */
record Hash(long buckets, long seed) implements Step {
  @Override
  public void run(Block block) {
    if (block.form == Form.BYTES) {
      block.become(Form.WHOLE);
      for (int i = 0; i < block.size; i++) {
        block.wholes[i] =
            block.isNull(i)
                ? 0
                : bucket(XxHash64.hash(block.data(i), block.start(i), block.length(i), seed));
      }
      return;
    }
    long[] wholes = block.wholes;
    for (int i = 0; i < block.size; i++) {
      wholes[i] = bucket(XxHash64.hash(wholes[i], seed));
    }
    block.become(Form.WHOLE);
  }

  private long bucket(long hash) {
    return Long.remainderUnsigned(hash, buckets);
  }
}
