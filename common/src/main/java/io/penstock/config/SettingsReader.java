package io.penstock.config;

import io.penstock.model.Suggestions;
import io.penstock.model.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/** Reads settings and gathers what is wrong with them, so that all of it is said at once. */
final class SettingsReader {
  private static final String PREFIX = "penstock.";

  private final Configuration configuration;
  private final List<String> errors = new ArrayList<>();

  SettingsReader(Configuration configuration) {
    this.configuration = configuration;
  }

  /** The value that is set, or the default; the default too if what is set is wrong. */
  <T> T get(Setting<T> setting) {
    String text = configuration.get(setting.name(), setting.standard());
    try {
      return setting.type().parse(text);
    } catch (IllegalArgumentException e) {
      errors.add(e.getMessage() + ": " + setting.name() + "=" + text + source(setting.name()));
      return setting.type().parse(setting.standard());
    }
  }

  /** Notes what is wrong with several settings together. */
  void check(boolean holds, String error) {
    if (!holds) {
      errors.add(error);
    }
  }

  /** What follows a prefix of free names. */
  Map<String, String> below(String prefix) {
    return new TreeMap<>(configuration.getPropsWithPrefix(prefix));
  }

  /**
   * Says everything that is wrong, names that nobody knows included.
   *
   * @throws UsageException if anything is
   */
  void finish() {
    for (String name : new TreeMap<>(configuration.getPropsWithPrefix(PREFIX)).keySet()) {
      String full = PREFIX + name;
      if (!Known.all().containsKey(full) && !full.startsWith(Known.STEP_PREFIX)) {
        errors.add(
            "unknown setting '"
                + full
                + "'"
                + source(full)
                + Suggestions.didYouMean(full, Known.all().keySet()));
      }
    }
    if (!errors.isEmpty()) {
      throw new UsageException(errors);
    }
  }

  private String source(String name) {
    String[] sources = configuration.getPropertySources(name);
    return sources == null || sources.length == 0 || sources[0].equals("programmatically")
        ? ""
        : " (" + sources[sources.length - 1] + ")";
  }
}
