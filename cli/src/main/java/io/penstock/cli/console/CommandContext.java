package io.penstock.cli.console;

import io.penstock.config.Settings;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;

/**
 * What a command runs in.
 *
 * @param configuration Hadoop's and Penstock's, with what the command line says
 * @param environment the process's environment
 */
public record CommandContext(
    Console console, Configuration configuration, Map<String, String> environment) {
  public CommandContext {
    Objects.requireNonNull(console, "console");
    Objects.requireNonNull(configuration, "configuration");
    environment = Map.copyOf(environment);
  }

  /**
   * All settings, checked.
   *
   * @throws io.penstock.model.UsageException that names all that are wrong
   */
  public Settings settings() {
    return Settings.read(configuration);
  }
}
