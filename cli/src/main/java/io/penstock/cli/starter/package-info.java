/** Proposes a feed for a dataset that nobody has described yet, from its schema and its data. */
package io.penstock.cli.starter;
