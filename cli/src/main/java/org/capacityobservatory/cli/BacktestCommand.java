package org.capacityobservatory.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import org.capacityobservatory.alarms.AlarmRule;
import org.capacityobservatory.alarms.Backtest;
import org.capacityobservatory.alarms.ClickHouseFacts;
import org.capacityobservatory.alarms.LineFacts;
import org.capacityobservatory.alarms.Transition;
import org.capacityobservatory.calibration.Calibration;
import org.capacityobservatory.calibration.Json;
import org.capacityobservatory.calibration.Options;
import org.capacityobservatory.calibration.RecordedCall;
import org.capacityobservatory.calibration.Recording;
import org.capacityobservatory.sql.ClickHouse;
import org.capacityobservatory.sql.ClickHouseException;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code capacity alarms backtest}: over stored history, over log files, or over what candidate
 * limits would make of them.
 */
@Command(
    name = "backtest",
    description = {
      "Says what the alarms would have done over a stretch of history, by the same state machine",
      "as live. With --simulate, --config or --set: over what those limits would have made of the",
      "same demand, enforced."
    },
    mixinStandardHelpOptions = true)
final class BacktestCommand implements Callable<Integer> {
  enum Format {
    TEXT,
    JSON
  }

  @Mixin private EvidenceOptions evidence;
  @Mixin private AlarmRuleOptions rules;
  @Mixin private ReplayOptions replay;

  @Option(
      names = "--simulate",
      description = "Replay the demand under the config in force, enforced.")
  private boolean simulate;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "Candidate limits: changes in the limiter's PATCH shape, JSON or YAML, over the config in"
              + " force.")
  private @Nullable Path config;

  @Option(
      names = "--format",
      defaultValue = "TEXT",
      paramLabel = "text|json",
      description = "Form of the answer (default: text).")
  private Format format;

  /** What a back-test went over. */
  private enum Over {
    HISTORY("Over this time", "they have no history"),
    LINES("Over these lines", "lines alone don't tell them"),
    REPLAYS("With these limits", "a replay can't know them");

    private final String begin;
    private final String unknown;

    Over(String begin, String unknown) {
      this.begin = begin;
      this.unknown = unknown;
    }
  }

  /** What came out; of several replays of the same demand, the first is told in full. */
  private record Answer(Over over, List<Backtest.Result> replays) {
    boolean simulated() {
      return over == Over.REPLAYS;
    }

    Backtest.Result first() {
      return replays.get(0);
    }

    List<Transition> timeline() {
      return first().transitions().stream().filter(t -> t.isFiring() || t.isResolved()).toList();
    }
  }

  @Override
  public Integer call() {
    TerminalProgress progress = new TerminalProgress();
    List<AlarmRule> judged = rules.rules();
    Answer answer;
    try {
      answer = answer(judged, progress);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    } catch (ClickHouseException | JdbiException e) {
      throw new CommandException("ClickHouse doesn't answer: " + e.getMessage(), e);
    }
    progress.done();
    ResultFile.write(null, format == Format.JSON ? Json.write(tree(answer)) : text(answer));
    return 0;
  }

  private Answer answer(List<AlarmRule> judged, TerminalProgress progress) {
    EvidenceOptions.Stored stored = evidence.stored();
    if (simulate || config != null || replay.changesValues()) {
      return simulated(judged, evidence.read(progress), progress);
    }
    if (stored == null) {
      Recording recording = evidence.read(progress);
      return new Answer(Over.LINES, List.of(over(judged, recording.calls())));
    }
    Properties settings = new Properties();
    settings.setProperty("max_execution_time", "60");
    ClickHouseFacts facts = new ClickHouseFacts(ClickHouse.queries(stored.config(), settings));
    return new Answer(
        Over.HISTORY, List.of(Backtest.run(judged, facts, stored.from(), stored.to())));
  }

  private Answer simulated(List<AlarmRule> judged, Recording recording, TerminalProgress progress) {
    Options options = replay.options(recording, config, List.of(), false);
    try (Calibration calibration =
        ReplayOptions.checked("limits", () -> Calibration.of(recording, options))) {
      List<Backtest.Result> results = new ArrayList<>();
      for (int i = 0; i < calibration.seeds(); i++) {
        progress.say("replay " + (i + 1) + " of " + calibration.seeds());
        results.add(over(judged, calibration.linesOf(i)));
      }
      return new Answer(Over.REPLAYS, results);
    }
  }

  private static Backtest.Result over(List<AlarmRule> judged, List<RecordedCall> calls) {
    if (calls.isEmpty()) {
      throw new CommandException("There are no calls with a time in these lines.");
    }
    LineFacts facts =
        LineFacts.of(
            calls.stream().map(c -> new LineFacts.Ended(c.endedAtMillis(), c.call())).toList());
    return Backtest.run(judged, facts, facts.first(), facts.end());
  }

  private static LongSummaryStatistics pages(Answer answer) {
    return answer.replays().stream().mapToLong(Backtest.Result::pages).summaryStatistics();
  }

  private static Map<String, Object> tree(Answer answer) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("simulated", answer.simulated());
    tree.put("pages", answer.first().pages());
    tree.put("alarms", answer.first().firings());
    if (answer.simulated()) {
      tree.put("replays", answer.replays().size());
      tree.put("pages_low", pages(answer).getMin());
      tree.put("pages_high", pages(answer).getMax());
    }
    tree.put("not_judged", answer.first().skipped());
    List<Object> timeline = new ArrayList<>();
    for (Transition transition : answer.timeline()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("at", transition.at().toString());
      one.put("to", transition.to().word());
      one.put("severity", transition.severity());
      one.put("rule", transition.series().rule());
      one.put("group", transition.series().labels().asMap());
      one.put("value", transition.value().isPresent() ? transition.value().getAsDouble() : null);
      one.put("summary", transition.isResolved() ? null : transition.summary());
      timeline.add(one);
    }
    tree.put("timeline", timeline);
    return tree;
  }

  private static String text(Answer answer) {
    StringBuilder text = new StringBuilder();
    Backtest.Result first = answer.first();
    text.append(
        "%s you'd have been paged %d times, of %d alarms"
            .formatted(answer.over().begin, first.pages(), first.firings()));
    if (answer.simulated()) {
      text.append(
          "; %d to %d times over %d replays of the same demand. The first of them:%n"
              .formatted(pages(answer).getMin(), pages(answer).getMax(), answer.replays().size()));
    } else {
      text.append(".\n");
    }
    for (Transition transition : answer.timeline()) {
      text.append(
          "%s  %-8s  %-6s  %s%s  %s%n"
              .formatted(
                  transition.at(),
                  transition.to().word(),
                  transition.severity(),
                  transition.series().rule(),
                  transition.series().labels().asMap().isEmpty()
                      ? ""
                      : transition.series().labels(),
                  transition.isResolved() ? "" : transition.summary()));
    }
    if (!first.skipped().isEmpty()) {
      text.append("Not judged, since %s: ".formatted(answer.over().unknown))
          .append(String.join(", ", first.skipped()))
          .append('\n');
    }
    return text.toString();
  }
}
