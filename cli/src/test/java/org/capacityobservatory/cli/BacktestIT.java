package org.capacityobservatory.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Alarms tried on log files, and on what candidate limits would make of them. */
class BacktestIT {
  private static final Instant START = Instant.parse("2026-11-30T10:00:00Z");

  @TempDir private Path directory;

  /**
   * Ten minutes with four calls at once and five with one, each of a user of its own and 10 s long.
   * With room for four nobody is refused. With room for two, two of four are, in each of the ten
   * minutes: 50 %. Above 40 % for three minutes fires at 10:03; the eleventh minute ends it.
   */
  @Test
  void limitsThatWouldRefuseHalfWouldPageOnce() throws IOException {
    Path log = directory.resolve("api.log");
    List<String> lines = new ArrayList<>();
    for (int minute = 0; minute < 15; minute++) {
      for (int n = 1; n <= (minute < 10 ? 4 : 1); n++) {
        lines.add(line(minute * 60_000L + 5_000 + n * 100L, n));
      }
    }
    Files.write(log, lines);
    Path rules = directory.resolve("rules.yaml");
    Files.writeString(
        rules,
        """
        groups:
          - name: g
            rules:
              - alert: HalfRefused
                expr: refused_share{single_row="true"}[1m] > 0.4
                for: 3m
                labels: {severity: page}
                annotations: {summary: '{{ $value | humanizePercentage }} refused', runbook: none}
              - alert: LaneFull
                expr: lane_full_share{lane="tier"}[1m] by (tier) > 0
                labels: {severity: ticket}
                annotations: {summary: full, runbook: none}
              - alert: Unavailable
                expr: unavailable_share[1m] > 0
                labels: {severity: page}
                annotations: {summary: gone, runbook: none}
        """);

    JsonNode recorded = json(log, rules);
    assertThat(recorded.at("/simulated").asBoolean()).isFalse();
    assertThat(recorded.at("/pages").asInt()).isZero();
    assertThat(recorded.at("/alarms").asInt()).isZero();

    JsonNode simulated = json(log, rules, "--set", "api_heavy.cluster=2");
    assertThat(simulated.at("/simulated").asBoolean()).isTrue();
    assertThat(simulated.at("/pages").asInt()).isEqualTo(1);
    assertThat(simulated.at("/pages_low").asInt()).isEqualTo(1);
    assertThat(simulated.at("/pages_high").asInt()).isEqualTo(1);
    assertThat(simulated.at("/replays").asInt()).isEqualTo(3);
    assertThat(simulated.at("/alarms").asInt()).isEqualTo(1);
    assertThat(simulated.at("/not_judged").toString()).isEqualTo("[\"Unavailable\"]");
    List<String> timeline = new ArrayList<>();
    simulated
        .at("/timeline")
        .forEach(t -> timeline.add(t.at("/at").asText() + " " + t.at("/to").asText()));
    assertThat(timeline)
        .containsExactly("2026-11-30T10:03:00Z firing", "2026-11-30T10:11:00Z resolved");
    assertThat(simulated.at("/timeline/0/value").asDouble()).isEqualTo(0.5);

    // As a table, and with limits that leave room.
    assertThat(text(log, rules, "--set", "api_heavy.cluster=2"))
        .startsWith(
            "With these limits you'd have been paged 1 times, of 1 alarms;"
                + " 1 to 1 times over 3 replays of the same demand.")
        .contains("2026-11-30T10:03:00Z  firing    page    HalfRefused  50 % refused")
        .endsWith("Not judged, since a replay can't know them: Unavailable\n");
    assertThat(text(log, rules, "--set", "api_heavy.cluster=5"))
        .startsWith("With these limits you'd have been paged 0 times, of 0 alarms;");
  }

  /** The sample's own lines say what the stored minutes of them do (UpIT), as far as calls tell. */
  @Test
  void linesTellWhatStoredMinutesTell() {
    try (TestingCommand command =
        TestingCommand.start(
            "alarms", "backtest", "../samples/events/api-a.log", "../samples/events/api-b.log")) {
      assertThat(command.exitCode()).as(command.stderr()).isZero();
      assertThat(command.stdout())
          .startsWith("Over these lines you'd have been paged 0 times, of 4 alarms.\n");
      assertThat(
              command
                  .stdout()
                  .lines()
                  .filter(line -> line.startsWith("2026-"))
                  .map(
                      line ->
                          line.replaceAll("^.{11}(.{5})\\S+ +(\\w+) +\\w+ +(\\S+).*", "$1 $2 $3")))
          .containsExactly(
              "09:56 firing UserFillsLane{user_id=\"200\"}",
              "09:57 firing UserFillsLane{user_id=\"101\"}",
              "10:01 firing InteractiveCallsWouldBeRefusedSlowly",
              "10:02 firing UserFillsLane{user_id=\"301\"}");
      assertThat(command.stdout()).contains("Not judged, since lines alone don't tell them: ");
    }
  }

  private static String line(long acquiredMs, int n) {
    String line =
        ("{'event':'ocl_capacity','decision':'admitted','mode':'shadow','enforced':false,"
                + "'endpoint':'$match','semantic':false,'rows':1,'single_row':true,'tier':'core',"
                + "'user_id':%1$d,'in_flight':%1$d,'limit':4,'task_in_flight':%1$d,'task_limit':4,"
                + "'tier_in_flight':%1$d,'tier_limit':4,'user_in_flight':1,'user_limit':3,"
                + "'held_ms':10000,'queue_ms':%2$d,'task':'a','cid':'c%1$d-%3$d'}")
            .formatted(n, acquiredMs % 1000, acquiredMs)
            .replace('\'', '"');
    return "{\"log\":\"%s\\n\",\"stream\":\"stdout\",\"time\":\"%s\"}"
        .formatted(line.replace("\"", "\\\""), START.plusMillis(acquiredMs + 10_000));
  }

  private static JsonNode json(Path log, Path rules, String... more) throws IOException {
    List<String> all = new ArrayList<>(List.of("--format", "json"));
    all.addAll(List.of(more));
    return new ObjectMapper().readTree(text(log, rules, all.toArray(String[]::new)));
  }

  /** Refused calls are gone, held times as recorded: so that it can be worked out by hand. */
  private static String text(Path log, Path rules, String... more) {
    List<String> all = new ArrayList<>(List.of("alarms", "backtest", log.toString()));
    all.addAll(List.of("--rules", rules.toString(), "--enforce-for", "all", "--seeds", "3"));
    all.addAll(List.of("--clients", "open", "--retries", "none", "--service", "recorded"));
    all.addAll(List.of("--workers", "0"));
    all.addAll(List.of(more));
    try (TestingCommand command = TestingCommand.start(all.toArray(String[]::new))) {
      assertThat(command.exitCode()).as(command.stderr()).isZero();
      return command.stdout();
    }
  }
}
