/** Statistics of a dataset's columns, the same to the last bit however many threads make them. */
package io.penstock.cli.statistics;
