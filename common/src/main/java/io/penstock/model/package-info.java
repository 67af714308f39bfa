/**
 * The values that both sides of Penstock share: row groups, pieces, ranks, cursors, tensors and the
 * errors that name a place.
 *
 * <p>JDK only; imports no other package of Penstock.
 */
package io.penstock.model;
