/**
 * Starts Penstock on a JDK of its own choice and class path, from whatever Java the cluster has. No
 * dependency.
 */
package io.penstock.launcher;
