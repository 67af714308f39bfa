/**
 * Column-chunk bytes to columns: pages are decompressed in one native call each and decoded whole,
 * straight into primitive arrays that a worker reuses.
 *
 * <p>Imports tensors, fetch, model and the catalog's mapping of Parquet schemas to columns.
 */
package io.penstock.container.decode;
