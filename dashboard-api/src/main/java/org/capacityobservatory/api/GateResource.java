package org.capacityobservatory.api;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.capacityobservatory.calibration.Calibration;
import org.capacityobservatory.calibration.Forecast;
import org.capacityobservatory.calibration.Gate;
import org.capacityobservatory.calibration.Recording;
import org.capacityobservatory.calibration.Requirements;
import org.capacityobservatory.calibration.Scenario.Enforcement;
import org.jspecify.annotations.Nullable;

/** Whether limits may be enforced on the evidence of a period, answered while one waits. */
final class GateResource {
  private final Replays replays;
  private final InstantSource clock;

  GateResource(Replays replays, InstantSource clock) {
    this.replays = replays;
    this.clock = clock;
  }

  /** The answer; its parts are as the API's description has them. */
  record Answer(
      Instant from,
      Instant to,
      Instant asOf,
      long calls,
      String enforceFor,
      long tookMs,
      Map<String, Object> changes,
      String verdict,
      List<Check> requirements,
      @Nullable Object limits,
      @Nullable Object headroom,
      String hash,
      String version) {}

  /** One requirement, whether it holds, on what evidence, and what would make it hold. */
  record Check(String requirement, String verdict, String evidence, @Nullable String next) {}

  Answer answer(Ask ask) {
    ReplayQuestion question = ReplayQuestion.of(ask, ReplayQuestion.FIELDS_OF_GATE);
    if (question.require() == null) {
      ask.parameters()
          .error("require", "it is missing", "say what must hold, such as {\"min_hours\": 168}");
    }
    ask.parameters().check();
    Requirements requirements = question.requirements();
    if (requirements == null) {
      throw new IllegalStateException("Checked above");
    }
    return replays.run(
        question,
        ask.parameters(),
        (recording, progress) -> verdict(question, requirements, recording, progress));
  }

  private Answer verdict(
      ReplayQuestion question,
      Requirements requirements,
      Recording recording,
      Consumer<String> progress) {
    long begun = System.nanoTime();
    try (Calibration calibration = Calibration.of(recording, question.plainOptions(recording))) {
      Forecast forecast =
          replays.forecast(
              recording, question, question.changes(), () -> calibration.predict(progress));
      Gate gate = Gate.of(calibration, forecast, requirements);
      Map<String, @Nullable Object> tree = new LinkedHashMap<>(gate.tree());
      return new Answer(
          question.period().from(),
          question.period().to(),
          clock.instant(),
          calibration.demand().size(),
          calibration.options().enforcement() == Enforcement.ALL ? "all" : "aware",
          Duration.ofNanos(System.nanoTime() - begun).toMillis(),
          question.changes(),
          gate.verdict().word(),
          gate.checks().stream()
              .map(c -> new Check(c.requirement(), c.verdict().word(), c.evidence(), c.next()))
              .toList(),
          tree.get("limits"),
          tree.get("headroom"),
          gate.hash(),
          String.valueOf(tree.get("version")));
    }
  }
}
