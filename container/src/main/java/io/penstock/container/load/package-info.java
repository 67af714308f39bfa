/** Pieces of the plan through an ordered stage, and windows of them with their row order. */
package io.penstock.container.load;
