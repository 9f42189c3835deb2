package org.capacityobservatory.api;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.capacityobservatory.calibration.Calibration;
import org.capacityobservatory.calibration.ConfigText;
import org.capacityobservatory.calibration.Demand;
import org.capacityobservatory.calibration.Estimate;
import org.capacityobservatory.calibration.Finding;
import org.capacityobservatory.calibration.Forecast;
import org.capacityobservatory.calibration.Metric;
import org.capacityobservatory.calibration.RecordedCall;
import org.capacityobservatory.calibration.Recording;
import org.capacityobservatory.calibration.Scenario.Enforcement;
import org.jspecify.annotations.Nullable;

/** What other limits would have done, answered while one waits. */
final class WhatIfResource {
  private final Replays replays;
  private final InstantSource clock;

  WhatIfResource(Replays replays, InstantSource clock) {
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
      int seeds,
      long tookMs,
      Map<String, Object> config,
      Map<String, Object> changes,
      Map<String, Object> patch,
      String command,
      @Nullable Double shadowRefusedShare,
      List<String> cannotConclude,
      List<Told> findings,
      Map<String, Object> predicted,
      Map<String, Object> inForce) {}

  /** What the reader of the answer must know. */
  record Told(String code, String weight, long count, String text) {}

  Answer answer(Ask ask) {
    ReplayQuestion question = ReplayQuestion.of(ask, ReplayQuestion.FIELDS_OF_WHAT_IF);
    ask.parameters().check();
    return replays.run(
        question, ask.parameters(), (recording, progress) -> replay(question, recording, progress));
  }

  private Answer replay(ReplayQuestion question, Recording recording, Consumer<String> progress) {
    long begun = System.nanoTime();
    try (Calibration calibration = Calibration.of(recording, question.plainOptions(recording))) {
      Forecast predicted =
          replays.forecast(
              recording, question, question.changes(), () -> calibration.predict(progress));
      Forecast today =
          replays.forecast(
              recording,
              question,
              Map.of(),
              () -> calibration.predict(calibration.inForce(), progress));
      return answer(question, calibration, predicted, today, begun);
    }
  }

  private Answer answer(
      ReplayQuestion question,
      Calibration calibration,
      Forecast predicted,
      Forecast today,
      long begun) {
    Demand demand = calibration.demand();
    boolean all = calibration.options().enforcement() == Enforcement.ALL;
    return new Answer(
        question.period().from(),
        question.period().to(),
        clock.instant(),
        demand.size(),
        all ? "all" : "aware",
        calibration.seeds(),
        Duration.ofNanos(System.nanoTime() - begun).toMillis(),
        calibration.inForce().last().paths(),
        question.changes(),
        ConfigText.nested(question.changes()),
        ConfigText.setCommand(question.changes()),
        shadowRefused(calibration.recording()),
        calibration.findings().stream()
            .filter(f -> f.weight() == Finding.Weight.BLOCKS)
            .map(Finding::text)
            .toList(),
        calibration.findings().stream()
            .map(
                f ->
                    new Told(
                        f.code(), f.weight().name().toLowerCase(Locale.ROOT), f.count(), f.text()))
            .toList(),
        tree(predicted, demand),
        tree(today, demand));
  }

  private static @Nullable Double shadowRefused(Recording recording) {
    long calls = 0;
    long refused = 0;
    for (RecordedCall recorded : recording.calls()) {
      calls += recorded.call().decision().equals("refused") ? 0 : 1;
      refused += recorded.call().decision().equals("shadow-refused") ? 1 : 0;
    }
    return Shares.of(refused, calls);
  }

  /** Figures of all and by group; not by user, since a viewer may ask. */
  private static Map<String, Object> tree(Forecast forecast, Demand demand) {
    Map<String, List<String>> dimensions = new LinkedHashMap<>();
    dimensions.put("single_row", List.of("true", "false"));
    dimensions.put("tier", demand.tiers());
    dimensions.put("endpoint", List.of("$match", "$rerank"));
    dimensions.put("source", demand.sources());
    Map<String, Object> all = new LinkedHashMap<>();
    for (Metric metric : Metric.values()) {
      put(all, metric.path(), forecast.of(metric));
    }
    Map<String, Object> by = new LinkedHashMap<>();
    dimensions.forEach(
        (dimension, values) -> {
          Map<String, Object> groups = new LinkedHashMap<>();
          for (String value : values) {
            Map<String, Object> figures = new LinkedHashMap<>();
            for (Metric metric : Metric.values()) {
              put(figures, metric.path(), forecast.of(dimension, value, metric));
            }
            if (!figures.isEmpty()) {
              groups.put(value, figures);
            }
          }
          by.put(dimension, groups);
        });
    Map<String, Object> whole = new LinkedHashMap<>();
    forecast
        .whole()
        .forEach(
            (name, estimate) -> {
              if (!name.startsWith("users.")) {
                put(whole, name, estimate);
              }
            });
    return Map.of("all", all, "by", by, "whole", whole);
  }

  /** What is not known is left out. */
  private static void put(Map<String, Object> tree, String name, Estimate estimate) {
    Map<String, @Nullable Object> figure = CalibrationJobs.estimate(estimate);
    if (figure != null) {
      tree.put(name, figure);
    }
  }
}
