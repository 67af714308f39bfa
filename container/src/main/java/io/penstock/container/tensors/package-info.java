/**
 * A decoded row group as typed columns, then as row-major tensors, and the interface of whatever
 * can load one.
 *
 * <p>Imports model and feed alone.
 */
package io.penstock.container.tensors;
