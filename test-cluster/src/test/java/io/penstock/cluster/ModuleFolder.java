package io.penstock.cluster;

import java.nio.file.Path;

/** Where this module lies: the build says so, and runs its tests there. */
final class ModuleFolder {
  private ModuleFolder() {}

  static Path path() {
    return Path.of(System.getProperty("basedir", System.getProperty("user.dir"))).toAbsolutePath();
  }
}
