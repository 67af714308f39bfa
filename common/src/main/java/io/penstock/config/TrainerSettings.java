package io.penstock.config;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What trains.
 *
 * @param step class of the training step; a name without a dot is a built-in one
 * @param arguments what {@code penstock.step.*} says, by the part after the prefix
 */
public record TrainerSettings(String step, Map<String, String> arguments) {
  public TrainerSettings {
    arguments = Collections.unmodifiableMap(new TreeMap<>(arguments));
  }

  static TrainerSettings from(SettingsReader reader) {
    return new TrainerSettings(reader.get(Known.TRAINER_STEP), reader.below(Known.STEP_PREFIX));
  }
}
