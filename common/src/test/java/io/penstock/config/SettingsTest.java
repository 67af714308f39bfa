package io.penstock.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.model.UsageException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class SettingsTest {
  private static Configuration with(String... namesAndValues) {
    Configuration configuration = new Configuration(false);
    for (int i = 0; i < namesAndValues.length; i += 2) {
      configuration.set(namesAndValues[i], namesAndValues[i + 1]);
    }
    return configuration;
  }

  private static String error(String... namesAndValues) {
    return assertThrows(UsageException.class, () -> Settings.read(with(namesAndValues)))
        .getMessage();
  }

  @Test
  void everyDefaultIsPinned() {
    Settings settings = Settings.read(with("hadoop.zk.address", "zk:2181", "hadoop.tmp.dir", "/t"));
    assertEquals(
        new Settings(
            new ZooKeeperSettings(
                Optional.of("zk:2181"),
                "/penstock",
                Duration.ofSeconds(30),
                Duration.ofSeconds(45),
                Duration.ofSeconds(20)),
            new CatalogSettings(
                16,
                Duration.ofMinutes(10),
                Duration.ofSeconds(45),
                256L << 20,
                ".penstock/footers",
                64L << 20),
            new FetchSettings(
                8, Duration.ofSeconds(30), 4, Duration.ofSeconds(1), 256 << 10, 32 << 20),
            new DecodeSettings(DecodeSettings.PageChecksums.VERIFIED, 32L << 20),
            new LoadSettings(0, 2, 4, 0, Duration.ofMinutes(10)),
            new CacheSettings(
                CacheSettings.Use.ON,
                List.of("/t/penstock/cache"),
                10L << 30,
                1 << 20,
                64L << 20,
                0.85),
            new BatchSettings(0, 4, Duration.ofMinutes(10), BatchSettings.ValuesDigest.ON),
            new DeviceSettings(DeviceSettings.Kind.AUTO, 2),
            new TrainerSettings("Synthetic", Map.of()),
            new ContainerSettings(
                4L << 30,
                2,
                1,
                0.7,
                List.of("-XX:+UseParallelGC", "-XX:+UseTransparentHugePages"),
                Duration.ofSeconds(5),
                Duration.ofSeconds(30)),
            new AmSettings(
                1L << 30,
                1,
                0.7,
                List.of(),
                3,
                10,
                Duration.ofMinutes(15),
                Duration.ofMinutes(2),
                Duration.ofMinutes(5),
                Duration.ofSeconds(1)),
            new SubmitSettings(
                ".penstock/staging",
                ".penstock/distribution",
                Optional.empty(),
                0,
                Optional.empty(),
                Duration.ofSeconds(30),
                Optional.empty()),
            new HistorySettings(
                ".penstock/history", Duration.ofDays(90), 64, Duration.ofSeconds(10))),
        settings);
  }

  @Test
  void theDefaultsFileListsExactlyTheKnownSettingsWithTheirDefaultsAndSaysWhatTheyMean()
      throws Exception {
    Map<String, String> listed = new LinkedHashMap<>();
    List<String> undescribed = new ArrayList<>();
    try (InputStream in = Settings.class.getClassLoader().getResourceAsStream(Settings.DEFAULTS)) {
      NodeList properties =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(in)
              .getElementsByTagName("property");
      for (int i = 0; i < properties.getLength(); i++) {
        Element property = (Element) properties.item(i);
        String name = text(property, "name");
        listed.put(name, text(property, "value"));
        if (text(property, "description").length() < 10) {
          undescribed.add(name);
        }
      }
    }
    assertEquals(
        List.copyOf(Settings.known().entrySet()), List.copyOf(listed.entrySet()), "same order too");
    assertEquals(List.of(), undescribed);
  }

  private static String text(Element property, String tag) {
    return property.getElementsByTagName(tag).item(0).getTextContent().strip();
  }

  @Test
  void theDefaultsFileReadByHadoopGivesTheDefaults() {
    Configuration configuration = with("hadoop.tmp.dir", "/t");
    configuration.addResource(Settings.DEFAULTS);
    assertEquals(Settings.read(with("hadoop.tmp.dir", "/t")), Settings.read(configuration));
  }

  @Test
  void everyDefaultIsWithinItsOwnBounds() {
    assertFalse(Known.all().isEmpty());
    Known.all().values().forEach(setting -> setting.type().parse(setting.standard()));
  }

  @Test
  void namesAreOfTheFormPenstockComponentName() {
    Settings.known()
        .keySet()
        .forEach(name -> assertTrue(name.matches("penstock\\.[a-z]+\\.[a-z-]+"), name));
  }

  @Test
  void anUnknownSettingIsRefusedWithTheNearestKnownOne() {
    assertEquals(
        "unknown setting 'penstock.load.wokers'; did you mean 'penstock.load.workers'?",
        error("penstock.load.wokers", "3"));
  }

  @Test
  void allErrorsAreSaidAtOnceEachWithItsConstraintAndValue() {
    assertEquals(
        "must be from 1 to 256: penstock.catalog.threads=0\n"
            + "must be >= 0: penstock.am.restarts=-1\n"
            + "unknown setting 'penstock.zookeeper.quorun';"
            + " did you mean 'penstock.zookeeper.quorum'?",
        error(
            "penstock.catalog.threads", "0",
            "penstock.am.restarts", "-1",
            "penstock.zookeeper.quorun", "x"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "penstock.fetch.threads | many | must be a whole number from 1 to 256",
        "penstock.fetch.deadline | 30 | must be a duration with its unit, such as 30s",
        "penstock.fetch.deadline | 1ms | must be from 10ms to 1h",
        "penstock.fetch.deadline | 99999999999999d | must be a duration with its unit, such as 30s",
        "penstock.cache.quota | lots | must be a size such as 64m",
        "penstock.cache.quota | -1 | must be a size such as 64m",
        "penstock.cache.quota | 9999999t | must be a size such as 64m",
        "penstock.cache.record-size | 1g | must be from 1k to 64m",
        "penstock.cache.enabled | yes | must be true or false",
        "penstock.cache.dirs | , | must not be empty",
        "penstock.cache.max-disk-share | NaN | must be from 0.01 to 1.0",
        "penstock.device.kind | gpu | must be one of auto, host",
        "penstock.device.buffers | 1 | must be from 2 to 64",
        "penstock.zookeeper.root | penstock | must begin with a slash and not end with one",
      })
  void aWrongValueIsRefusedWithWhatItMustBe(String name, String value, String constraint) {
    assertEquals(constraint + ": " + name + "=" + value, error(name, value));
  }

  @ParameterizedTest
  @CsvSource({"1048576, 1048576", "64k, 65536", "3M, 3145728", "2 mb, 2097152", "64kb, 65536"})
  void sizesHaveBinaryUnits(String text, int bytes) {
    assertEquals(
        bytes, Settings.read(with("penstock.cache.record-size", text)).cache().recordBytes());
  }

  @ParameterizedTest
  @CsvSource({"1500ms, 1500", "2s, 2000", "1m, 60000", "1h, 3600000", "20000us, 20"})
  void durationsHaveHadoopsUnits(String text, long millis) {
    assertEquals(
        millis, Settings.read(with("penstock.fetch.deadline", text)).fetch().deadline().toMillis());
  }

  @Test
  void whatIsWrongInAFileIsSaidWithTheFile() {
    Configuration configuration = new Configuration(false);
    configuration.addResource(
        new java.io.ByteArrayInputStream(
            ("<configuration><property><name>penstock.fetch.attempts</name><value>0</value>"
                    + "</property></configuration>")
                .getBytes(java.nio.charset.StandardCharsets.UTF_8)),
        "penstock-site.xml");
    assertEquals(
        "must be from 1 to 1000: penstock.fetch.attempts=0 (penstock-site.xml)",
        assertThrows(UsageException.class, () -> Settings.read(configuration)).getMessage());
  }

  @Test
  void whatBelongsToTheStepIsHandedOn() {
    assertEquals(
        Map.of("learning-rate", "0.1", "features.name", "x"),
        Settings.read(
                with("penstock.step.learning-rate", "0.1", "penstock.step.features.name", "x"))
            .trainer()
            .arguments());
  }

  @Test
  void withoutAZooKeeperTheQuorumIsAskedForByName() {
    ZooKeeperSettings settings = Settings.defaults().zookeeper();
    assertEquals(Optional.empty(), settings.quorum());
    assertEquals(
        "must name ZooKeeper's servers as host:port, comma-separated: neither"
            + " penstock.zookeeper.quorum nor hadoop.zk.address is set",
        assertThrows(UsageException.class, settings::requireQuorum).getMessage());
    assertEquals(
        "a:1,b:2",
        Settings.read(with("penstock.zookeeper.quorum", "a:1,b:2")).zookeeper().requireQuorum());
  }

  @Test
  void workersAreAsManyAsVcoresUnlessTheSettingSaysOtherwise() {
    assertEquals(3, Settings.defaults().load().workersOn(3));
    assertEquals(5, Settings.read(with("penstock.load.workers", "5")).load().workersOn(3));
    assertEquals(3, Settings.defaults().batch().workersOn(3));
  }

  @Test
  void javaOptionsAreWords() {
    assertEquals(
        List.of("-Xss1m", "-XX:+UseZGC"),
        Settings.read(with("penstock.container.java-options", " -Xss1m  -XX:+UseZGC "))
            .container()
            .javaOptions());
  }

  @Test
  void whatIsGivenIsHandedOnWithReferencesFilledIn() {
    assertEquals(
        Map.of("penstock.zookeeper.quorum", "zk:1"),
        Settings.given(
            with(
                "penstock.zookeeper.quorum", "${hadoop.zk.address}", "hadoop.zk.address", "zk:1")));
  }

  @Test
  void everyConfigurationOfThisJvmReadsTheDefaultsOnceTheyAreAdded() {
    Settings.addResources();
    Configuration configuration = new Configuration();
    assertEquals("/penstock", configuration.get("penstock.zookeeper.root"));
    assertEquals(
        List.of(configuration.get("hadoop.tmp.dir") + "/penstock/cache"),
        Settings.read(configuration).cache().dirs());
  }
}
