/** Hands batches to the training step and takes its commits. */
package io.penstock.container.trainer;
