package org.capacityobservatory.cli;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.capacityobservatory.calibration.Json;
import org.capacityobservatory.calibration.Recording;
import org.capacityobservatory.calibration.Scorecard;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "scorecard",
    description = "Holds a prediction against the lines written after the switch.",
    mixinStandardHelpOptions = true)
final class ScorecardCommand implements Callable<Integer> {
  enum Format {
    TEXT,
    JSON
  }

  @Mixin private EvidenceOptions evidence;

  @Option(
      names = "--predicted",
      required = true,
      paramLabel = "FILE",
      description = "What capacity calibrate --format json wrote before the switch.")
  private Path predicted;

  @Option(
      names = "--format",
      defaultValue = "TEXT",
      paramLabel = "text|json",
      description = "Form of the scorecard (default: text).")
  private Format format;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Write to a file, whole or not at all.")
  private @Nullable Path out;

  @Override
  public Integer call() {
    TerminalProgress progress = new TerminalProgress();
    String prediction = ReplayOptions.text(predicted);
    Recording recording = evidence.read(progress);
    Scorecard scorecard =
        ReplayOptions.checked(predicted.toString(), () -> Scorecard.of(prediction, recording));
    progress.done();
    if (scorecard.enforcedLines() == 0) {
      throw new CommandException(
          "None of these lines was written under enforcement: there is nothing to compare with.");
    }
    ResultFile.write(out, format == Format.JSON ? Json.write(scorecard.tree()) : scorecard.text());
    return 0;
  }
}
