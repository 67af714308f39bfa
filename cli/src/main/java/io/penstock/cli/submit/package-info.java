/**
 * Submitting a job and following it to its end, and what other commands ask of YARN: the only
 * importer of YARN here.
 */
package io.penstock.cli.submit;
