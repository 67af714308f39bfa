package io.penstock.cli.dataset;

import io.penstock.model.UsageException;
import java.io.File;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/** Says so where a path is refused that has no scheme and is there on this machine alone. */
public final class LocalPaths {
  private LocalPaths() {}

  /** Does something with paths. */
  public static <T> T hinted(
      Collection<String> paths, Configuration configuration, Supplier<T> action) {
    try {
      return action.get();
    } catch (UsageException e) {
      String standard = FileSystem.getDefaultUri(configuration).toString();
      List<String> lines = new ArrayList<>(e.getMessage().lines().toList());
      if (!standard.startsWith("file:")) {
        for (String path : paths) {
          if (!path.contains(":/") && new File(path).exists()) {
            lines.add(
                path
                    + " is on this machine, but a path without a scheme is on "
                    + standard
                    + "; for this machine's write file://"
                    + new File(path).getAbsolutePath());
          }
        }
      }
      if (lines.size() == e.getMessage().lines().count()) {
        throw e;
      }
      UsageException hinted = new UsageException(lines);
      hinted.initCause(e);
      throw hinted;
    }
  }
}
