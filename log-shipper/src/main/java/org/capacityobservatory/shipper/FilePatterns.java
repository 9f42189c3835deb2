package org.capacityobservatory.shipper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The files that are asked for: plain paths, and globs looked up anew at each {@link #find}. */
final class FilePatterns {
  private record Glob(String text, Path base, int depth, PathMatcher matcher) {}

  private final List<Path> paths = new ArrayList<>();
  private final List<Glob> globs = new ArrayList<>();

  FilePatterns(List<String> files) {
    for (String file : files) {
      if (isGlob(file) && !Files.exists(Path.of(file))) {
        globs.add(glob(file));
      } else {
        paths.add(Path.of(file).toAbsolutePath().normalize());
      }
    }
  }

  private static boolean isGlob(String file) {
    return file.chars().anyMatch(c -> "*?[{".indexOf(c) >= 0);
  }

  private static Glob glob(String file) {
    String absolute =
        file.startsWith("/") ? file : Path.of("").toAbsolutePath().normalize() + "/" + file;
    int firstSpecial = 0;
    while ("*?[{\\".indexOf(absolute.charAt(firstSpecial)) < 0) {
      firstSpecial++;
    }
    int baseEnd = Math.max(1, absolute.lastIndexOf('/', firstSpecial));
    String below = absolute.substring(baseEnd);
    int depth =
        below.contains("**")
            ? Integer.MAX_VALUE
            : (int) below.chars().filter(c -> c == '/').count() + (baseEnd == 1 ? 1 : 0);
    Path base = Path.of(absolute.substring(0, baseEnd)).normalize();
    String rest = absolute.substring(baseEnd == 1 ? 0 : baseEnd);
    return new Glob(
        file,
        base,
        Math.max(depth, 1),
        FileSystems.getDefault().getPathMatcher("glob:" + (baseEnd == 1 ? "" : base) + rest));
  }

  /**
   * Every path that matches now, in order; the value tells whether it was named plainly, in which
   * case it is there even when no such file exists.
   */
  SortedMap<Path, Boolean> find() {
    SortedMap<Path, Boolean> found = new TreeMap<>();
    for (Glob glob : globs) {
      collect(glob, found);
    }
    for (Path path : paths) {
      found.put(path, true);
    }
    return found;
  }

  /** The globs that match nothing now, as they were asked for. */
  List<String> empty() {
    List<String> empty = new ArrayList<>();
    for (Glob glob : globs) {
      SortedMap<Path, Boolean> found = new TreeMap<>();
      try {
        collect(glob, found);
      } catch (UncheckedIOException e) {
        // A folder that can't be listed gives nothing; the scan says why.
      }
      if (found.isEmpty()) {
        empty.add(glob.text());
      }
    }
    return empty;
  }

  /** Whether a path is asked for, be it there or not. */
  boolean covers(Path path) {
    return paths.contains(path) || globs.stream().anyMatch(glob -> glob.matcher().matches(path));
  }

  private static void collect(Glob glob, SortedMap<Path, Boolean> found) {
    try {
      Files.walkFileTree(
          glob.base(),
          EnumSet.of(FileVisitOption.FOLLOW_LINKS),
          glob.depth(),
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              if (!attributes.isDirectory() && glob.matcher().matches(file)) {
                found.putIfAbsent(file, false);
              }
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
              // A link to nowhere or a file gone meanwhile: if it is asked for, the scan says so.
              if (glob.matcher().matches(file)) {
                found.putIfAbsent(file, false);
              }
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException e) {
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(
          "The folder " + glob.base() + " can't be listed: " + e.getMessage(), e);
    }
  }
}
