package org.capacityobservatory.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.capacityobservatory.calibration.Calibration;
import org.capacityobservatory.calibration.Gate;
import org.capacityobservatory.calibration.Json;
import org.capacityobservatory.calibration.Options;
import org.capacityobservatory.calibration.Recording;
import org.capacityobservatory.calibration.Requirements;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "gate",
    description = {
      "Says whether a config may be enforced on this evidence: PASS (exit 0), NOT YET or UNKNOWN",
      "(exit 3), with the evidence for each requirement."
    },
    mixinStandardHelpOptions = true)
final class GateCommand implements Callable<Integer> {
  enum Format {
    TEXT,
    JSON
  }

  private static final int NEGATIVE = 3;

  @Mixin private EvidenceOptions evidence;
  @Mixin private ReplayOptions replay;

  @Option(
      names = "--candidate",
      required = true,
      paramLabel = "FILE",
      description = "The config to be enforced, in the limiter's PATCH shape, over that in force.")
  private Path candidate;

  @Option(
      names = "--require",
      required = true,
      paramLabel = "FILE",
      description = "What must hold (YAML).")
  private Path require;

  @Option(
      names = "--format",
      defaultValue = "TEXT",
      paramLabel = "text|json",
      description = "Form of the verdict (default: text).")
  private Format format;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Write to a file, whole or not at all.")
  private @Nullable Path out;

  @Override
  public Integer call() {
    TerminalProgress progress = new TerminalProgress();
    Requirements requirements =
        ReplayOptions.checked(
            require.toString(), () -> Requirements.parse(ReplayOptions.text(require)));
    Recording recording = evidence.read(progress);
    Options options = replay.options(recording, candidate, List.of(), false);
    try (Calibration calibration =
        ReplayOptions.checked(candidate.toString(), () -> Calibration.of(recording, options))) {
      Gate gate = Gate.of(calibration, calibration.predict(progress::say), requirements);
      progress.done();
      ResultFile.write(out, format == Format.JSON ? Json.write(gate.tree()) : gate.text());
      return gate.verdict() == Gate.Verdict.PASS ? 0 : NEGATIVE;
    }
  }
}
