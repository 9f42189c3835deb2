package org.capacityobservatory.cli;

import io.smallrye.config.ConfigValue;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * Values of a command's options that weren't given as flags: from the environment, else from a
 * config file, else the option's own default.
 *
 * <p>A setting has the name of its option without dashes; in the environment it is {@code
 * CAPACITY_SHIP_} and that name in capitals. Files are the setting {@code files}.
 */
final class ShipSettings {
  static final String FILES = "files";

  private static final String ENV_PREFIX = "CAPACITY_SHIP_";

  /** What the other commands ask the environment for. */
  private static final String COMMON_KAFKA = "CAPACITY_KAFKA";

  /** Options that mean one run, or stand outside of the settings. */
  private static final Set<String> FLAGS_ONLY = Set.of("config", "dry-run", "help", "version");

  private static final Pattern INDEX = Pattern.compile("\\[\\d+]$");
  private static final int FILE_ORDINAL = 100;
  private static final int ENV_ORDINAL = 200;

  private final @Nullable Path file;
  private final Map<String, String> env;
  private final boolean commonKafka;
  private final SmallRyeConfig config;
  private final Set<String> namesInFile;
  private final Map<String, String> origins = new LinkedHashMap<>();

  private ShipSettings(
      @Nullable Path file,
      Map<String, String> env,
      boolean commonKafka,
      SmallRyeConfig config,
      Set<String> names) {
    this.file = file;
    this.env = env;
    this.commonKafka = commonKafka;
    this.config = config;
    this.namesInFile = names;
  }

  /**
   * Reads them.
   *
   * @param file the config file, or null for none
   * @throws UsageException if it can't be read
   */
  static ShipSettings load(@Nullable Path file, Map<String, String> environment) {
    Map<String, String> env = new HashMap<>();
    environment.forEach(
        (name, value) -> {
          if (name.startsWith(ENV_PREFIX) && !name.equals(ENV_PREFIX + "CONFIG")) {
            env.put(name.substring(ENV_PREFIX.length()), value);
          }
        });
    String kafka = environment.get(COMMON_KAFKA);
    boolean commonKafka = kafka != null && env.putIfAbsent("KAFKA", kafka) == null;
    SmallRyeConfigBuilder builder =
        new SmallRyeConfigBuilder().withSources(new EnvConfigSource(env, ENV_ORDINAL));
    Set<String> names = Set.of();
    if (file != null) {
      PropertiesConfigSource source = read(file);
      names = source.getPropertyNames();
      builder.withSources(source);
    }
    return new ShipSettings(file, env, commonKafka, builder.build(), names);
  }

  private static PropertiesConfigSource read(Path file) {
    try {
      return new PropertiesConfigSource(file.toUri().toURL(), FILE_ORDINAL);
    } catch (IOException | IllegalArgumentException e) {
      String why =
          e instanceof NoSuchFileException || e instanceof java.io.FileNotFoundException
              ? "it isn't there, or must not be read"
              : String.valueOf(e.getMessage());
      throw new UsageException("The config file " + file + " can't be read: " + why);
    }
  }

  /**
   * Sets every option that no flag gave.
   *
   * @return one sentence for each setting that can't be used, naming its place and the remedy
   */
  List<String> fillIn(CommandSpec command, CommandSpec trial) {
    List<String> problems = new ArrayList<>(unknown(command));
    for (OptionSpec option : options(command)) {
      String name = nameOf(option);
      if (command.commandLine().getParseResult().hasMatchedOption(option)) {
        origins.put(name, "flag");
        continue;
      }
      String value = find(name);
      if (value == null) {
        origins.put(name, "default");
        continue;
      }
      origins.put(name, originOf(name));
      try {
        option.setValue(converted(option, value, trial));
      } catch (ParameterException e) {
        problems.add(
            "%s: %s = %s can't be used (%s): correct it or remove it"
                .formatted(originOf(name), name, value, e.getMessage()));
      }
    }
    return problems;
  }

  /** The command line's own conversion, of a flag with this value. */
  private static Object converted(OptionSpec option, String value, CommandSpec trial) {
    CommandLine line = trial.commandLine();
    line.parseArgs(option.longestName() + "=" + value);
    return line.getCommandSpec().findOption(option.longestName()).getValue();
  }

  /** The files that the settings name, for a command that was given none. */
  List<String> files() {
    try {
      List<String> files = config.getValues(FILES, String.class, ArrayList::new);
      origins.put(FILES, originOf(find(FILES) == null ? FILES + "[0]" : FILES));
      return files;
    } catch (NoSuchElementException e) {
      origins.put(FILES, "default");
      return List.of();
    }
  }

  void filesAreFlags() {
    origins.put(FILES, "flag");
  }

  private List<String> unknown(CommandSpec command) {
    Set<String> known = new TreeSet<>(options(command).stream().map(ShipSettings::nameOf).toList());
    known.add(FILES);
    String remedy = "remove it, or choose of " + String.join(", ", known);
    Map<String, String> problems = new TreeMap<>();
    for (String name : namesInFile) {
      if (!known.contains(INDEX.matcher(name).replaceFirst(""))) {
        problems.put(originOf(name), "there is no setting " + name + ": " + remedy);
      }
    }
    Set<String> knownInEnv = new TreeSet<>(known.stream().map(ShipSettings::envName).toList());
    for (String name : env.keySet()) {
      if (!knownInEnv.contains(name.replaceFirst("_\\d+_$", ""))) {
        problems.put("env " + ENV_PREFIX + name, "there is no such setting: " + remedy);
      }
    }
    return problems.entrySet().stream().map(e -> e.getKey() + ": " + e.getValue()).toList();
  }

  private @Nullable String find(String name) {
    String value = config.getConfigValue(name).getValue();
    return value == null || value.isEmpty() ? null : value;
  }

  private String originOf(String name) {
    ConfigValue value = config.getConfigValue(name);
    if (value.getConfigSourceOrdinal() == ENV_ORDINAL) {
      String variable = envName(name);
      boolean common = commonKafka && variable.equals("KAFKA");
      return "env " + (common ? COMMON_KAFKA : ENV_PREFIX + variable);
    }
    return file + " line " + value.getLineNumber();
  }

  private static String envName(String name) {
    return name.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
  }

  /** Every setting with its value and where that came from. */
  List<Row> rows(CommandSpec command, List<String> files) {
    List<Row> rows = new ArrayList<>();
    rows.add(new Row(FILES, String.join(" ", files), origins.getOrDefault(FILES, "default")));
    for (OptionSpec option : options(command)) {
      Object value = option.getValue();
      String name = nameOf(option);
      rows.add(
          new Row(
              name,
              value == null ? "" : String.valueOf(value),
              origins.getOrDefault(name, "default")));
    }
    return rows;
  }

  /** One line of {@code config print}. */
  record Row(String name, String value, String origin) {}

  private static List<OptionSpec> options(CommandSpec command) {
    return command.options().stream()
        .filter(option -> !FLAGS_ONLY.contains(nameOf(option)))
        .sorted(Comparator.comparing(ShipSettings::nameOf))
        .toList();
  }

  private static String nameOf(OptionSpec option) {
    return option.longestName().replaceFirst("^--", "");
  }
}
