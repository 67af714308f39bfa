/**
 * Global steps through an ordered stage: a rank's rows gathered into slots, with the cursor and the
 * certificate's sums.
 */
package io.penstock.container.batch;
