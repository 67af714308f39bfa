/**
 * The order contract (ORDER.md) as pure functions: the generator, the plan of epochs, lanes,
 * windows and ranks, and the certificate's arithmetic.
 *
 * <p>No I/O, no clock, no generator kept between calls; imports {@code model} alone.
 */
package io.penstock.plan;
