/**
 * The feed's ops on decoded columns, and the cast into row-major tensors, run on the workers; also
 * the interface and the class loader of user code.
 *
 * <p>Imports tensors, feed, model, and plan's XXH64.
 */
package io.penstock.container.transform;
