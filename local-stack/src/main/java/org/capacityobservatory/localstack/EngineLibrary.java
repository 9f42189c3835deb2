package org.capacityobservatory.localstack;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the native library of the ClickHouse engine. */
final class EngineLibrary {
  /** Environment variable with the library's file; goes before everything else. */
  static final String VARIABLE = "CAPACITY_CHDB_LIB";

  /** System property with the library's file. */
  static final String PROPERTY = "capacity.chdb.lib";

  /** System property with the root of the checkout, for programs that run from elsewhere. */
  static final String HOME_PROPERTY = "capacity.home";

  private static final String ENGINE_FOLDER = "local-stack/engine";
  private static final int LEVELS_UP = 6;

  private EngineLibrary() {}

  /**
   * The library's file.
   *
   * @throws LocalStackException when there is none, with the remedy
   */
  static Path find() {
    return find(System.getenv(), codeLocation());
  }

  static Path find(Map<String, String> environment, @Nullable Path codeLocation) {
    String named = environment.get(VARIABLE);
    String source = "the environment variable " + VARIABLE;
    if (named == null || named.isBlank()) {
      named = System.getProperty(PROPERTY);
      source = "the system property " + PROPERTY;
    }
    if (named != null && !named.isBlank()) {
      Path file = Path.of(named).toAbsolutePath();
      if (Files.isRegularFile(file)) {
        return file;
      }
      throw new LocalStackException(
          "The ClickHouse engine " + file + ", named by " + source + ", is not a file.");
    }
    for (Path folder : engineFolders(codeLocation)) {
      for (String name : List.of("libchdb.so", "libchdb.dylib")) {
        Path file = folder.resolve("node_modules/@chdb").resolve(platformPackage()).resolve(name);
        if (Files.isRegularFile(file)) {
          return file;
        }
      }
    }
    throw new LocalStackException(
        "The ClickHouse engine for this platform (@chdb/"
            + platformPackage()
            + ") is not installed: run 'npm ci' in "
            + ENGINE_FOLDER
            + ", or point "
            + VARIABLE
            + " at a libchdb file, or use a ClickHouse server.");
  }

  private static List<Path> engineFolders(@Nullable Path codeLocation) {
    List<Path> folders = new ArrayList<>();
    String home = System.getProperty(HOME_PROPERTY);
    if (home != null && !home.isBlank()) {
      folders.add(Path.of(home).resolve(ENGINE_FOLDER));
    }
    // From local-stack/target/classes as well as from the jar in some other module's target/lib.
    Path at = codeLocation;
    for (int level = 0; at != null && level < LEVELS_UP; level++) {
      folders.add(at.resolve(ENGINE_FOLDER));
      at = at.getParent();
    }
    return folders;
  }

  private static @Nullable Path codeLocation() {
    CodeSource source = EngineLibrary.class.getProtectionDomain().getCodeSource();
    if (source == null || source.getLocation() == null) {
      return null;
    }
    try {
      return Path.of(source.getLocation().toURI());
    } catch (URISyntaxException | IllegalArgumentException e) {
      return null;
    }
  }

  private static String platformPackage() {
    boolean mac = System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("mac");
    String arch = System.getProperty("os.arch", "");
    String cpu = arch.equals("aarch64") || arch.equals("arm64") ? "arm64" : "x64";
    return mac ? "lib-darwin-" + cpu : "lib-linux-" + cpu + "-gnu";
  }
}
