/**
 * The files of a dataset and their Parquet footers as one canonical list of row groups, named by
 * its digest.
 *
 * <p>Only metadata is read here; the values of columns are the container's business.
 */
package io.penstock.catalog;
