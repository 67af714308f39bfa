package io.penstock.launcher;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Finds a Java that is new enough: the setting {@code penstock.java.home} (on the command line,
 * else in {@code penstock-site.xml}), then the environment's PENSTOCK_JAVA_HOME, JAVA_HOME and
 * PATH.
 */
final class JavaFinder {
  static final int LEAST_VERSION = 17;
  private static final String SETTING = "penstock.java.home";
  private static final Pattern VERSION = Pattern.compile("\"(?:1\\.)?(\\d+)[^\"]*\"");
  private static final long ANSWERS_WITHIN_SECONDS = 20;

  private final Map<String, String> environment;
  private final String configuration;
  private final List<String> refused = new ArrayList<>();

  /**
   * @param configuration the cluster's configuration folder, or null
   */
  JavaFinder(Map<String, String> environment, String configuration) {
    this.environment = environment;
    this.configuration = configuration;
  }

  /**
   * The first {@code java} that is new enough.
   *
   * @param arguments the command line, for {@code -D penstock.java.home=...}
   * @throws LaunchException if there is none; the message lists what was looked at
   */
  File find(List<String> arguments) {
    File found = home(SETTING, setting(arguments), true);
    if (found == null) {
      found = home("PENSTOCK_JAVA_HOME", environment.get("PENSTOCK_JAVA_HOME"), true);
    }
    if (found == null) {
      found = home("JAVA_HOME", environment.get("JAVA_HOME"), false);
    }
    if (found == null) {
      found = onPath();
    }
    if (found == null) {
      throw new LaunchException(
          "needs Java "
              + LEAST_VERSION
              + " or later; set "
              + SETTING
              + ", PENSTOCK_JAVA_HOME, JAVA_HOME or PATH. Looked at: "
              + (refused.isEmpty() ? "nothing, none is set" : String.join("; ", refused)));
    }
    return found;
  }

  private File home(String origin, String home, boolean meantForPenstock) {
    if (home == null || home.isEmpty()) {
      return null;
    }
    File java = new File(new File(home, "bin"), "java");
    if (isNewEnough(origin, java)) {
      return java;
    }
    if (meantForPenstock) {
      System.err.println("penstock: passed over " + refused.get(refused.size() - 1));
    }
    return null;
  }

  private File onPath() {
    for (String folder : environment.getOrDefault("PATH", "").split(File.pathSeparator)) {
      File java = new File(folder, "java");
      if (!folder.isEmpty() && java.canExecute() && isNewEnough("PATH", java)) {
        return java;
      }
    }
    return null;
  }

  private boolean isNewEnough(String origin, File java) {
    if (!java.canExecute()) {
      refused.add(origin + ": there is no " + java);
      return false;
    }
    int version = version(java);
    if (version < LEAST_VERSION) {
      refused.add(
          origin + ": " + java + (version < 0 ? " does not tell its version" : " is " + version));
      return false;
    }
    return true;
  }

  /**
   * The feature version of a JDK, from its release file or else from what it prints; -1 if neither
   * tells.
   */
  private static int version(File java) {
    File release = new File(java.getAbsoluteFile().getParentFile().getParentFile(), "release");
    if (release.isFile()) {
      try {
        for (String line : Files.readAllLines(release.toPath(), StandardCharsets.UTF_8)) {
          Matcher version = VERSION.matcher(line);
          if (line.startsWith("JAVA_VERSION=") && version.find()) {
            return Integer.parseInt(version.group(1));
          }
        }
      } catch (IOException e) {
        // The file is a shortcut; asking the program itself is as good.
      }
    }
    try {
      return asked(java);
    } catch (IOException e) {
      return -1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return -1;
    }
  }

  /** Runs it; the answer goes to a file, so that one that hangs does not hang this. */
  private static int asked(File java) throws IOException, InterruptedException {
    File answer = File.createTempFile("penstock-java-version", ".txt");
    try {
      Process process =
          new ProcessBuilder(java.getPath(), "-version")
              .redirectErrorStream(true)
              .redirectOutput(answer)
              .start();
      if (!process.waitFor(ANSWERS_WITHIN_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return -1;
      }
      byte[] text = Files.readAllBytes(answer.toPath());
      Matcher version = VERSION.matcher(new String(text, StandardCharsets.UTF_8));
      return version.find() ? Integer.parseInt(version.group(1)) : -1;
    } finally {
      Files.deleteIfExists(answer.toPath());
    }
  }

  private String setting(List<String> arguments) {
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      String definition = argument.startsWith("-D") ? argument.substring(2) : "";
      if (argument.equals("-D") && i + 1 < arguments.size()) {
        definition = arguments.get(i + 1);
      }
      if (definition.startsWith(SETTING + "=")) {
        return definition.substring(SETTING.length() + 1);
      }
    }
    return configuration == null ? null : site(new File(configuration, "penstock-site.xml"));
  }

  private static String site(File file) {
    if (!file.isFile()) {
      return null;
    }
    try {
      NodeList properties =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(file)
              .getElementsByTagName("property");
      for (int i = 0; i < properties.getLength(); i++) {
        Element property = (Element) properties.item(i);
        if (SETTING.equals(text(property, "name"))) {
          return text(property, "value");
        }
      }
      return null;
    } catch (IOException | SAXException | ParserConfigurationException e) {
      throw new LaunchException("can't read " + file + ": " + e.getMessage());
    }
  }

  private static String text(Element property, String name) {
    NodeList found = property.getElementsByTagName(name);
    return found.getLength() == 0 ? null : found.item(0).getTextContent().trim();
  }
}
