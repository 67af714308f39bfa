/**
 * Typed immutable settings, one record per component, read once from a Hadoop {@code
 * Configuration}.
 *
 * <p>No setting can change a delivered byte or its place: that is the feed's alone.
 */
package io.penstock.config;
