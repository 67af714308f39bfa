/** What every command shares: its streams, its configuration, exit codes, tables and JSON. */
package io.penstock.cli.console;
