package io.penstock.launcher;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The main class of {@code penstock.jar}: runs one of Penstock's own mains in a JVM of its own.
 *
 * <h2>Why a JVM of its own</h2>
 *
 * {@code yarn jar} runs this on the cluster's Java, which may be 8, with the cluster's libraries
 * first on the class path. The child runs on JDK 17 or later with {@code lib/} beside this jar and
 * the cluster's configuration folder, and nothing else. The ApplicationMaster and the containers
 * start the same way. Java 8 byte code, no dependency.
 *
 * <h2>Command line and environment</h2>
 *
 * <pre>
 *   [--penstock-main CLASS] ARGUMENT...     CLASS is io.penstock.cli.Main unless given
 *   PENSTOCK_CHILD_OPTS                     options of the child JVM, separated by spaces
 *   HADOOP_CONF_DIR                         the cluster's configuration; else the folder of the core-site.xml that this
 *                                           JVM's class path has
 * </pre>
 *
 * The exit code is the child's. A signal that ends this JVM ends the child first.
 */
public final class Launcher {
  private static final String DEFAULT_MAIN = "io.penstock.cli.Main";
  private static final String MAIN_OPTION = "--penstock-main";
  private static final int USAGE = 2;
  private static final long CHILD_ENDS_WITHIN_SECONDS = 30;

  private Launcher() {}

  public static void main(String[] arguments) throws InterruptedException {
    try {
      System.exit(run(Arrays.asList(arguments), System.getenv()));
    } catch (LaunchException e) {
      System.err.println("penstock: " + e.getMessage());
      System.exit(USAGE);
    } catch (IOException e) {
      System.err.println("penstock: can't start a JVM: " + e.getMessage());
      System.exit(1);
    }
  }

  private static int run(List<String> arguments, Map<String, String> environment)
      throws IOException, InterruptedException {
    File home = home();
    String configuration = configurationFolder(environment);
    List<String> rest = new ArrayList<>(arguments);
    String main = DEFAULT_MAIN;
    if (!rest.isEmpty() && rest.get(0).equals(MAIN_OPTION)) {
      if (rest.size() < 2) {
        throw new LaunchException(MAIN_OPTION + " needs the name of a class");
      }
      main = rest.get(1);
      rest = rest.subList(2, rest.size());
    }
    File java = new JavaFinder(environment, configuration).find(rest);
    List<String> command = new ArrayList<>();
    command.add(java.getPath());
    // The cluster's configuration folder comes first on the class path and has a log4j.properties
    // too.
    command.add("-Dlog4j.configuration=" + new File(home, "conf/log4j.properties").toURI());
    for (String option : environment.getOrDefault("PENSTOCK_CHILD_OPTS", "").trim().split("\\s+")) {
      if (!option.isEmpty()) {
        command.add(option);
      }
    }
    command.add("-Dpenstock.home=" + home);
    command.add("-cp");
    command.add(classPath(home, configuration));
    command.add(main);
    command.addAll(rest);
    Process child = new ProcessBuilder(command).inheritIO().start();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(child), "end-child"));
    return child.waitFor();
  }

  /** Ends the child with this JVM, and takes over its exit code. */
  private static void end(Process child) {
    try {
      if (child.isAlive()) {
        child.destroy();
        if (!child.waitFor(CHILD_ENDS_WITHIN_SECONDS, TimeUnit.SECONDS)) {
          child.destroyForcibly();
          child.waitFor(CHILD_ENDS_WITHIN_SECONDS, TimeUnit.SECONDS);
        }
        Runtime.getRuntime().halt(child.exitValue());
      }
    } catch (InterruptedException | IllegalThreadStateException e) {
      child.destroyForcibly();
    }
  }

  /**
   * The folder that penstock.jar lies in. {@code yarn jar} runs this class from a temporary folder
   * that it unpacks the jar into; the jar itself is then on the class path behind that.
   */
  private static File home() {
    List<URL> places = new ArrayList<>();
    places.add(Launcher.class.getProtectionDomain().getCodeSource().getLocation());
    ClassLoader loader = Launcher.class.getClassLoader();
    if (loader instanceof URLClassLoader) {
      places.addAll(Arrays.asList(((URLClassLoader) loader).getURLs()));
    }
    for (URL place : places) {
      File file = file(place);
      if (file != null && file.isFile() && new File(file.getParentFile(), "lib").isDirectory()) {
        return file.getParentFile();
      }
    }
    throw new LaunchException(
        "there is no lib/ beside penstock.jar: keep it where it was unpacked. Looked beside: "
            + places);
  }

  private static File file(URL place) {
    try {
      return place.getProtocol().equals("file") ? new File(place.toURI()).getAbsoluteFile() : null;
    } catch (URISyntaxException e) {
      return null;
    }
  }

  /** The cluster's configuration folder, or null. */
  private static String configurationFolder(Map<String, String> environment) {
    String folder = environment.get("HADOOP_CONF_DIR");
    if (folder != null && !folder.isEmpty()) {
      return folder;
    }
    URL site = Thread.currentThread().getContextClassLoader().getResource("core-site.xml");
    if (site != null && site.getProtocol().equals("file")) {
      try {
        return new File(site.toURI()).getParent();
      } catch (URISyntaxException e) {
        return null;
      }
    }
    return null;
  }

  private static String classPath(File home, String configuration) {
    StringBuilder path = new StringBuilder();
    if (configuration != null) {
      path.append(configuration).append(File.pathSeparator);
    }
    path.append(new File(home, "conf")).append(File.pathSeparator);
    return path.append(new File(home, "lib")).append(File.separator).append('*').toString();
  }
}
