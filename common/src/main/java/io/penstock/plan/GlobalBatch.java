package io.penstock.plan;

/**
 * The rows of a global batch, by place.
 *
 * @param firstPosition position of the row at place 0; those of the others follow
 * @param rows catalog row numbers; not copied
 * @param valid false for padding; not copied
 */
public record GlobalBatch(long step, long firstPosition, long[] rows, boolean[] valid) {}
