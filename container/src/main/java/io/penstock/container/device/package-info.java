/**
 * Copies of filled slots into the memory that the training step reads, ahead of need; a host-memory
 * twin where there is no GPU.
 */
package io.penstock.container.device;
