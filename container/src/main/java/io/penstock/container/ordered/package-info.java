/**
 * The ordered stage: several workers, results in the order of the plan. Used twice, for loading
 * pieces and for filling batches.
 */
package io.penstock.container.ordered;
