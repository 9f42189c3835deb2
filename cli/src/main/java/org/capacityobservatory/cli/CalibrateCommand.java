package org.capacityobservatory.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.capacityobservatory.calibration.Calibration;
import org.capacityobservatory.calibration.CalibrationResult;
import org.capacityobservatory.calibration.Constraint;
import org.capacityobservatory.calibration.Json;
import org.capacityobservatory.calibration.Options;
import org.capacityobservatory.calibration.Recording;
import org.capacityobservatory.calibration.Report;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "calibrate",
    description = {
      "Predicts what limits would do, from recorded lines alone: replays the demand behind them,",
      "closed loop, through the limiter's own rules, and says how sure it is."
    },
    mixinStandardHelpOptions = true)
final class CalibrateCommand implements Callable<Integer> {
  enum Format {
    TEXT,
    JSON,
    HTML,
    MD
  }

  @Mixin private EvidenceOptions evidence;
  @Mixin private ReplayOptions replay;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Changes in the limiter's PATCH shape, JSON or YAML, over the config in force.")
  private @Nullable Path config;

  @Option(
      names = "--constraints",
      paramLabel = "FILE",
      description = "What a recommendation must satisfy (YAML).")
  private @Nullable Path constraints;

  @Option(
      names = "--explore",
      negatable = true,
      description =
          "Curves, what-ifs and a recommendation; unasked up to 20000 calls (--no-explore: none).")
  private @Nullable Boolean explore;

  @Option(
      names = "--format",
      defaultValue = "TEXT",
      paramLabel = "text|json|html|md",
      description = "Form of the answer (default: text).")
  private Format format;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Write to a file, whole or not at all.")
  private @Nullable Path out;

  @Override
  public Integer call() {
    TerminalProgress progress = new TerminalProgress();
    List<Constraint> wanted = constraints == null ? List.of() : constraintsIn(constraints);
    Recording recording = evidence.read(progress);
    Options options = replay.options(recording, config, wanted, explore);
    try (Calibration calibration =
        ReplayOptions.checked(
            config == null ? "config" : config.toString(),
            () -> Calibration.of(recording, options))) {
      CalibrationResult result = CalibrationResult.of(calibration, progress::say);
      progress.done();
      result.cannotConclude().forEach(why -> System.err.println("capacity: " + why));
      ResultFile.write(out, written(result));
    }
    return 0;
  }

  private static List<Constraint> constraintsIn(Path file) {
    return ReplayOptions.checked(file.toString(), () -> Constraint.parse(ReplayOptions.text(file)));
  }

  private String written(CalibrationResult result) {
    return switch (format) {
      case TEXT -> new Report(result).text();
      case MD -> new Report(result).markdown();
      case HTML -> new Report(result).html();
      case JSON -> Json.write(result.tree());
    };
  }
}
