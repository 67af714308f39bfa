/**
 * What outlives a job on a file system: its feed, catalog, settings, decisions and epochs, and the
 * certificate sums of every block of steps.
 *
 * <p>{@code HistoryFolder} draws the files, {@code CertificateFormat} their bytes.
 */
package io.penstock.history;
