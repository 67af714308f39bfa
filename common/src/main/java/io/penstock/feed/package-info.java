/**
 * The feed file: what is delivered, parsed and checked, with its canonical form and digest, and
 * bound to the columns of a dataset.
 *
 * <p>Imports {@code model} alone.
 */
package io.penstock.feed;
