/** The layout of a rank's batch in memory, and the ring of slots that batches are filled into. */
package io.penstock.container.slots;
