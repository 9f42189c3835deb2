package org.capacityobservatory.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.capacityobservatory.calibration.ConfigText;
import org.capacityobservatory.calibration.Constraint;
import org.capacityobservatory.calibration.InvalidConfigException;
import org.capacityobservatory.calibration.Options;
import org.capacityobservatory.calibration.Recording;
import org.capacityobservatory.calibration.Scenario.Enforcement;
import org.capacityobservatory.calibration.Scorecard;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a replay assumes. */
final class ReplayOptions {
  /** Up to so many calls curves and the like are quick enough to come unasked. */
  private static final int CALLS_EXPLORED_UNASKED = 20_000;

  enum EnforceFor {
    ALL,
    AWARE
  }

  enum Clients {
    CLOSED,
    OPEN
  }

  enum Retries {
    OBEY,
    NONE
  }

  enum Service {
    FITTED,
    RECORDED
  }

  @Option(
      names = "--set",
      paramLabel = "PATH=VALUE",
      description = "Change one value, e.g. tiers.preview=1; repeatable.")
  private @Nullable List<String> sets;

  @Option(
      names = "--enforce-for",
      paramLabel = "all|aware",
      description = "Who can be refused (default: as in the config asked about).")
  private @Nullable EnforceFor enforceFor;

  @Option(
      names = "--clients",
      defaultValue = "CLOSED",
      paramLabel = "closed|open",
      description = "Whether runs wait for their own calls (default: closed).")
  private Clients clients;

  @Option(
      names = "--retries",
      defaultValue = "OBEY",
      paramLabel = "obey|none",
      description = "Whether refused calls are tried again; none: they are gone (default: obey).")
  private Retries retries;

  @Option(
      names = "--aware",
      split = ",",
      paramLabel = "SOURCE",
      description =
          "Sources whose clients know 429s, separated by commas (default: all). The rest go through"
              + " under enforce-for aware, and fail under all.")
  private @Nullable List<String> aware;

  @Option(
      names = "--workers",
      defaultValue = "4",
      paramLabel = "N",
      description = "Workers of each API task; 0 for no limit (default: ${DEFAULT-VALUE}).")
  private int workers;

  @Option(
      names = "--service",
      defaultValue = "FITTED",
      paramLabel = "fitted|recorded",
      description = "Held times from the fitted stretch, or as recorded (default: fitted).")
  private Service service;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description = "Replays for each answer, and four times as many for its interval.")
  private @Nullable Integer seeds;

  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "N",
      description = "The first seed (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Replays at once; changes the time taken, never the result (default: cores).")
  private @Nullable Integer threads;

  @Option(
      names = "--scorecard",
      paramLabel = "FILE",
      description = "A scorecard (JSON): the model's error widens the intervals.")
  private @Nullable Path scorecard;

  /**
   * The options for a recording.
   *
   * @param config a PATCH file laid over the config in force, before {@code --set}
   * @param constraints what a recommendation must satisfy
   * @param explore whether curves and the like are wanted; null to choose by size
   */
  Options options(
      Recording recording,
      @Nullable Path config,
      List<Constraint> constraints,
      @Nullable Boolean explore) {
    Map<String, Object> changes = new LinkedHashMap<>();
    if (config != null) {
      changes.putAll(patchIn(config));
    }
    for (String set : sets == null ? List.<String>of() : sets) {
      changes.putAll(checked("--set", () -> ConfigText.set(set)));
    }
    Set<String> sources = aware == null ? null : new LinkedHashSet<>(nonEmpty(aware));
    if (seeds != null && seeds < 1) {
      throw new UsageException("--seeds must be at least 1.");
    }
    Map<String, Double> error = scorecard == null ? Map.of() : modelErrorIn(scorecard);
    boolean extras = explore == null ? recording.calls().size() <= CALLS_EXPLORED_UNASKED : explore;
    return checked(
        "options",
        () ->
            new Options(
                changes,
                enforcement(changes, recording),
                sources,
                clients == Clients.CLOSED,
                retries == Retries.OBEY,
                workers,
                service == Service.FITTED,
                seeds == null ? 0 : seeds,
                seed,
                threads == null ? Runtime.getRuntime().availableProcessors() : threads,
                extras,
                constraints,
                error));
  }

  /** Whether values were changed on the command line. */
  boolean changesValues() {
    return sets != null;
  }

  private static Map<String, Object> patchIn(Path file) {
    return checked(file.toString(), () -> ConfigText.patch(text(file)));
  }

  private static Map<String, Double> modelErrorIn(Path file) {
    return checked(file.toString(), () -> Scorecard.modelErrorIn(text(file)));
  }

  private Enforcement enforcement(Map<String, Object> changes, Recording recording) {
    if (enforceFor != null) {
      return enforceFor == EnforceFor.ALL ? Enforcement.ALL : Enforcement.AWARE;
    }
    Object asked = changes.getOrDefault("enforce_for", Options.enforceForIn(recording));
    return "all".equals(asked) ? Enforcement.ALL : Enforcement.AWARE;
  }

  private static List<String> nonEmpty(List<String> words) {
    List<String> kept = new ArrayList<>();
    words.forEach(
        word -> {
          if (!word.isBlank()) {
            kept.add(word.strip());
          }
        });
    return kept;
  }

  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new CommandException(file + " can't be read: " + e, e);
    }
  }

  /** What breaks the rules was given wrongly: exit code 2, naming where it stands. */
  static <T> T checked(String where, Supplier<T> read) {
    try {
      return read.get();
    } catch (InvalidConfigException e) {
      throw new UsageException(where + ": " + e.getMessage());
    }
  }
}
