/**
 * Tensors of whole row groups in Berkeley DB JE under a quota: what was decoded once is read back
 * in later epochs.
 *
 * <p>The only package that imports JE.
 */
package io.penstock.container.cache;
