/** The commands, one class each, but for {@code submit}. */
package io.penstock.cli.commands;
