/** Feed files and datasets as people name them on a command line. */
package io.penstock.cli.dataset;
