package io.penstock.config;

import io.penstock.model.UsageException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/**
 * All settings.
 *
 * <p>They come from {@code penstock-default.xml} in this jar, then {@code penstock-site.xml} on the
 * class path, then what the command line says.
 */
public record Settings(
    ZooKeeperSettings zookeeper,
    CatalogSettings catalog,
    FetchSettings fetch,
    DecodeSettings decode,
    LoadSettings load,
    CacheSettings cache,
    BatchSettings batch,
    DeviceSettings device,
    TrainerSettings trainer,
    ContainerSettings container,
    AmSettings am,
    SubmitSettings submit,
    HistorySettings history) {
  /** Penstock's own settings file in each configuration folder. */
  public static final String SITE = "penstock-site.xml";

  /** The defaults, in this jar. */
  public static final String DEFAULTS = "penstock-default.xml";

  /**
   * Makes every {@code Configuration} of this JVM read Penstock's defaults and site file, as
   * Hadoop's own components do with theirs. Once or more often is the same.
   */
  public static void addResources() {
    Configuration.addDefaultResource(DEFAULTS);
    Configuration.addDefaultResource(SITE);
  }

  /**
   * Reads and checks all settings.
   *
   * @throws UsageException that names every unknown setting and every value that is wrong
   */
  public static Settings read(Configuration configuration) {
    SettingsReader reader = new SettingsReader(configuration);
    Settings settings =
        new Settings(
            ZooKeeperSettings.from(reader),
            CatalogSettings.from(reader),
            FetchSettings.from(reader),
            DecodeSettings.from(reader),
            LoadSettings.from(reader),
            CacheSettings.from(reader),
            BatchSettings.from(reader),
            DeviceSettings.from(reader),
            TrainerSettings.from(reader),
            ContainerSettings.from(reader),
            AmSettings.from(reader),
            SubmitSettings.from(reader),
            HistorySettings.from(reader));
    reader.finish();
    return settings;
  }

  /** All settings at their defaults. */
  public static Settings defaults() {
    return read(new Configuration(false));
  }

  /** Every setting that there is with its default, in the order of the settings page. */
  public static Map<String, String> known() {
    Map<String, String> known = new LinkedHashMap<>();
    Known.all().forEach((name, setting) -> known.put(name, setting.standard()));
    return Collections.unmodifiableMap(known);
  }

  /** Every {@code penstock.*} value that a configuration gives, to be handed to another process. */
  public static Map<String, String> given(Configuration configuration) {
    Map<String, String> given = new TreeMap<>();
    for (String name : configuration.getPropsWithPrefix("penstock.").keySet()) {
      given.put("penstock." + name, configuration.get("penstock." + name));
    }
    return given;
  }
}
