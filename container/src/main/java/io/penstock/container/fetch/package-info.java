/**
 * Bytes from any Hadoop file system: positioned reads on threads of their own, each try under a
 * deadline that a watchdog keeps by interrupting, with retries.
 *
 * <p>Imports model and lifecycle.
 */
package io.penstock.container.fetch;
