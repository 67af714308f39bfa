package io.penstock.cli.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.PrintStream;
import java.util.Objects;

/**
 * Where a command writes: results to standard output, and all else to standard error.
 *
 * <p>With {@code --json}, standard output is one JSON value, written by {@link #json}.
 */
public final class Console {
  /** What standard output is. */
  public enum Format {
    TEXT,
    JSON
  }

  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .addModule(new Jdk8Module())
          .enable(SerializationFeature.INDENT_OUTPUT)
          .build();

  private final PrintStream out;
  private final PrintStream err;
  private final Format format;
  private boolean printed;

  public Console(PrintStream out, PrintStream err, Format format) {
    this.out = Objects.requireNonNull(out, "out");
    this.err = Objects.requireNonNull(err, "err");
    this.format = Objects.requireNonNull(format, "format");
  }

  public Format format() {
    return format;
  }

  /** A line of the result; goes to standard error where standard output is JSON. */
  public void print(String line) {
    if (format == Format.JSON) {
      err.println(line);
    } else {
      out.println(line);
    }
  }

  /** A line about what is going on, on standard error. */
  public void note(String line) {
    err.println(line);
    err.flush();
  }

  /** The result as JSON, the only value that standard output gets. */
  public void json(Object value) {
    if (printed) {
      throw new IllegalStateException("standard output has its JSON value already");
    }
    printed = true;
    try {
      out.println(JSON.writeValueAsString(value));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("can't be written as JSON: " + value.getClass(), e);
    }
  }

  /** Whether standard output has got its JSON value. */
  public boolean hasPrintedJson() {
    return printed;
  }

  /** Writes out what is waiting; false if nobody reads standard output any more. */
  public boolean flush() {
    return !out.checkError();
  }

  /** Standard error, for lines that are written over. */
  public PrintStream err() {
    return err;
  }
}
