package io.penstock.catalog;

import io.penstock.feed.DatasetSpec;
import io.penstock.model.UsageException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;

/**
 * The files of a dataset in contract order (FEED.md, "Files"; ORDER.md, "catalog").
 *
 * <h2>Roots</h2>
 *
 * An entry of {@code paths} that exists as written is a root, whatever characters it has; only one
 * that does not exist is tried as a glob. A glob's matches are roots in UTF-8 byte order of their
 * full decoded path, without those that are hidden or whose name is excluded.
 */
final class DatasetFiles {
  private static final String GLOB_CHARACTERS = "*?[{\\";

  private final Storage storage;
  private final DatasetSpec spec;
  private final String label;
  private final List<Glob> excluded;

  /**
   * A file of the dataset.
   *
   * @param relative its path below the root, with slashes; empty if it is a root
   */
  record Listed(FileStatus status, String relative) {
    Path path() {
      return status.getPath();
    }
  }

  /** A root, or what an entry of {@code paths} that is a glob found. */
  private record Root(String entry, FileStatus status) {}

  /** A folder to list. */
  private record Folder(int root, Path path, String relative) {}

  /**
   * @param label what an entry of {@code paths} is called in messages
   */
  DatasetFiles(Storage storage, DatasetSpec spec, String label) {
    this.storage = storage;
    this.spec = spec;
    this.label = label;
    this.excluded = spec.exclude().stream().map(Glob::new).toList();
  }

  /**
   * Lists them.
   *
   * @throws UsageException if a path is missing, has no file, or a file is reached twice
   */
  List<Listed> list() {
    List<Root> roots = roots();
    List<List<Listed>> byRoot = new ArrayList<>();
    List<Folder> folders = new ArrayList<>();
    for (int i = 0; i < roots.size(); i++) {
      FileStatus status = roots.get(i).status();
      byRoot.add(new ArrayList<>());
      if (status.isDirectory()) {
        folders.add(new Folder(i, status.getPath(), ""));
      } else {
        byRoot.get(i).add(new Listed(status, ""));
      }
    }
    while (!folders.isEmpty()) {
      folders = descend(folders, byRoot);
    }
    Map<String, Boolean> hasFile = new HashMap<>();
    List<Listed> files = new ArrayList<>();
    for (int i = 0; i < roots.size(); i++) {
      List<Listed> below = byRoot.get(i);
      below.sort(Comparator.comparing(Listed::relative, Utf8Order.INSTANCE));
      hasFile.merge(roots.get(i).entry(), !below.isEmpty(), Boolean::logicalOr);
      files.addAll(below);
    }
    refuse(
        spec.paths().stream()
            .filter(entry -> !hasFile.get(entry))
            .map(
                entry ->
                    "must have a file that is neither hidden nor excluded: " + label + "=" + entry)
            .toList());
    refuseDoubles(files);
    return files;
  }

  private List<Root> roots() {
    List<Root> roots = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    List<List<Root>> found =
        storage.each(spec.paths(), entry -> "looking for " + entry, this::roots);
    for (int i = 0; i < found.size(); i++) {
      String entry = spec.paths().get(i);
      if (found.get(i).isEmpty()) {
        missing.add(
            (isGlob(entry) ? "must match a file or folder: " : "must exist: ")
                + label
                + "="
                + entry);
      }
      roots.addAll(found.get(i));
    }
    refuse(missing);
    return roots;
  }

  private static void refuse(List<String> errors) {
    if (!errors.isEmpty()) {
      throw new UsageException(errors);
    }
  }

  /** Lists folders, adds their files and returns the folders in them. */
  private List<Folder> descend(List<Folder> folders, List<List<Listed>> byRoot) {
    List<FileStatus[]> contents =
        storage.each(
            folders,
            folder -> "listing " + folder.path(),
            folder -> storage.fileSystem(folder.path()).listStatus(folder.path()));
    List<Folder> next = new ArrayList<>();
    for (int i = 0; i < folders.size(); i++) {
      Folder folder = folders.get(i);
      for (FileStatus status : contents.get(i)) {
        String name = status.getPath().getName();
        String relative = folder.relative().isEmpty() ? name : folder.relative() + "/" + name;
        if (hidden(name) || isExcluded(name, relative)) {
          continue;
        }
        if (status.isDirectory()) {
          next.add(new Folder(folder.root(), status.getPath(), relative));
        } else {
          byRoot.get(folder.root()).add(new Listed(status, relative));
        }
      }
    }
    return next;
  }

  /** The roots of one entry of {@code paths}; none if nothing is there. */
  private List<Root> roots(String entry) throws IOException {
    Path path;
    try {
      path = new Path(entry);
    } catch (IllegalArgumentException e) {
      throw new UsageException("must be a path: " + label + "=" + entry + ": " + e.getMessage(), e);
    }
    FileSystem fileSystem = storage.fileSystem(path);
    try {
      return List.of(new Root(entry, fileSystem.getFileStatus(path)));
    } catch (FileNotFoundException e) {
      if (Storage.isPermission(e)) {
        throw e;
      }
    } catch (ParentNotDirectoryException e) {
      return List.of();
    }
    FileStatus[] matches = isGlob(entry) ? fileSystem.globStatus(path) : null;
    return matches == null
        ? List.of()
        : Arrays.stream(matches)
            .filter(match -> !hiddenMatch(path, match.getPath()))
            .filter(match -> !isExcluded(match.getPath().getName(), ""))
            .sorted(Comparator.comparing(match -> match.getPath().toString(), Utf8Order.INSTANCE))
            .map(match -> new Root(entry, match))
            .toList();
  }

  private void refuseDoubles(List<Listed> files) {
    Map<Path, Listed> seen = new HashMap<>();
    for (Listed file : files) {
      Listed first = seen.putIfAbsent(file.path(), file);
      if (first != null) {
        throw new UsageException(
            "must be reached once but " + label + " reaches it twice: file " + file.path());
      }
    }
  }

  private static boolean isGlob(String entry) {
    return entry.chars().anyMatch(c -> GLOB_CHARACTERS.indexOf(c) >= 0);
  }

  private static boolean hidden(String name) {
    return name.startsWith(".") || (name.startsWith("_") && name.indexOf('=') < 0);
  }

  /** Whether a part of a match is hidden that the glob does not spell out. */
  private static boolean hiddenMatch(Path glob, Path match) {
    Path pattern = glob;
    Path found = match;
    boolean aligned = glob.isAbsolute() && glob.depth() == match.depth();
    for (int parts = aligned ? glob.depth() : 1; parts > 0; parts--) {
      if (hidden(found.getName()) && (!aligned || isGlob(pattern.getName()))) {
        return true;
      }
      pattern = pattern.getParent();
      found = found.getParent();
    }
    return false;
  }

  private boolean isExcluded(String name, String relative) {
    for (Glob glob : excluded) {
      if (glob.matches(glob.ofName() ? name : relative)) {
        return true;
      }
    }
    return false;
  }
}
