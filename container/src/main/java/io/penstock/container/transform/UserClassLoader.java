package io.penstock.container.transform;

import java.net.URL;
import java.net.URLClassLoader;

/**
 * Loads user code from its jar, and what is in the jar rather than on Penstock's class path, so
 * that a user's library versions and Penstock's do not meet. Penstock's own classes are always
 * shared.
 */
final class UserClassLoader extends URLClassLoader {
  static {
    registerAsParallelCapable();
  }

  UserClassLoader(URL jar, ClassLoader parent) {
    super("user-code", new URL[] {jar}, parent);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (name.startsWith("java.") || name.startsWith("io.penstock.")) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded == null) {
        try {
          loaded = findClass(name);
        } catch (ClassNotFoundException e) {
          return super.loadClass(name, resolve);
        }
      }
      if (resolve) {
        resolveClass(loaded);
      }
      return loaded;
    }
  }
}
