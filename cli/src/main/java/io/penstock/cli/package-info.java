/** The command line: {@code penstock COMMAND ...}. */
package io.penstock.cli;
