package io.penstock.container.slots;

import io.penstock.model.Digest128;

/**
 * What a filled slot says of itself: which step it is and its part of the certificate.
 *
 * @param firstPosition position of the slot's first row in the epoch
 * @param rows rows delivered, padding included
 * @param padding rows that go on from the beginning of a lane that ran out
 * @param rowsFromStorage valid rows whose row group was read from the file system
 * @param rowsFromCache valid rows whose row group came from the cache
 * @param order order digest of these rows
 * @param values values digest of these rows; zero if values digests are switched off
 */
public record StepRecord(
    long epoch,
    long step,
    long firstPosition,
    int rows,
    int padding,
    int rowsFromStorage,
    int rowsFromCache,
    Digest128 order,
    Digest128 values) {}
