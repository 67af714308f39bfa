package io.penstock.container.transform;

import io.penstock.feed.Op;
import io.penstock.model.UsageException;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** The classes that a feed names, each jar with one class loader. Thread-safe. */
final class UserCode implements Closeable {
  private final Function<String, Path> jars;

  /** By jar as written; guarded by this. */
  private final Map<String, UserClassLoader> loaders = new LinkedHashMap<>();

  /**
   * @param jars where a jar that the feed names lies on this machine
   */
  UserCode(Function<String, Path> jars) {
    this.jars = jars;
  }

  /**
   * Loads a class without making an instance.
   *
   * @throws UsageException if it can't be loaded or is no {@link UserTransform}
   */
  Class<? extends UserTransform> load(Op.UserClass op) {
    ClassLoader loader =
        op.jar().<ClassLoader>map(this::loader).orElse(getClass().getClassLoader());
    try {
      Class<?> type = Class.forName(op.className(), true, loader);
      if (!UserTransform.class.isAssignableFrom(type)) {
        throw new UsageException(
            "must implement " + UserTransform.class.getName() + ": class=" + op.className());
      }
      return type.asSubclass(UserTransform.class);
    } catch (ClassNotFoundException | LinkageError e) {
      throw new UsageException(
          "class " + op.className() + " can't be loaded" + where(op) + ": " + e, e);
    }
  }

  /**
   * Makes and opens an instance.
   *
   * @throws UsageException if that fails
   */
  UserTransform open(Op.UserClass op) {
    Class<? extends UserTransform> type = load(op);
    try {
      UserTransform transform = type.getConstructor().newInstance();
      transform.open(op.args());
      return transform;
    } catch (InvocationTargetException e) {
      throw new UsageException(
          "class " + op.className() + " can't be opened" + where(op) + ": " + e.getCause(), e);
    } catch (Exception | LinkageError e) {
      throw new UsageException(
          "class " + op.className() + " can't be opened" + where(op) + ": " + e, e);
    }
  }

  private static String where(Op.UserClass op) {
    return op.jar().map(jar -> " from " + jar).orElse("");
  }

  private synchronized ClassLoader loader(String jar) {
    return loaders.computeIfAbsent(
        jar,
        name -> {
          Path path = jars.apply(name);
          if (!Files.isReadable(path)) {
            throw new UsageException("jar can't be read: " + path);
          }
          try {
            return new UserClassLoader(path.toUri().toURL(), getClass().getClassLoader());
          } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  @Override
  public synchronized void close() throws IOException {
    IOException first = null;
    for (UserClassLoader loader : loaders.values()) {
      try {
        loader.close();
      } catch (IOException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    loaders.clear();
    if (first != null) {
      throw first;
    }
  }
}
