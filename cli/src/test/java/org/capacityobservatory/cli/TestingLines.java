package org.capacityobservatory.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Writes an API's log with seeded calls, and keeps count of what it wrote. */
final class TestingLines {
  private static final List<String> DECISIONS = List.of("admitted", "admitted", "shadow-refused");
  private static final List<String> TIERS = List.of("core", "preview", "staff");

  private final Random random;
  private final Instant begin;
  private final String name;
  private final List<String> cids = new ArrayList<>();
  private final Map<String, Integer> byDecision = new TreeMap<>();
  private int lines;
  private int dead;

  TestingLines(String name, long seed, Instant begin) {
    this.name = name;
    this.random = new Random(seed);
    this.begin = begin;
  }

  /** Appends so many lines: calls, noise, and now and then one that can't be read. */
  void append(Path log, int count) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      lines++;
      text.append("{\"log\":\"")
          .append(line().replace("\"", "\\\""))
          .append("\\n\",\"stream\":\"stdout\",\"time\":\"")
          .append(begin.plusMillis(50L * lines))
          .append("\"}\n");
    }
    Files.write(
        log, text.toString().getBytes(UTF_8), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private String line() {
    int dice = random.nextInt(100);
    if (dice < 10) {
      return "[" + lines + "] something else";
    }
    if (dice == 10) {
      dead++;
      return "{\"event\":\"ocl_capacity\",\"held_ms\":" + lines + "x}";
    }
    String decision = DECISIONS.get(random.nextInt(DECISIONS.size()));
    String cid = name + "-" + lines;
    cids.add(cid);
    byDecision.merge(decision, 1, Integer::sum);
    return "{\"event\":\"ocl_capacity\",\"decision\":\"%s\",\"mode\":\"shadow\",\"endpoint\":\"$match\",\"tier\":\"%s\",\"held_ms\":%d,\"queue_ms\":%d,\"cid\":\"%s\"}"
        .formatted(
            decision,
            TIERS.get(random.nextInt(TIERS.size())),
            random.nextInt(20_000),
            random.nextInt(2_000),
            cid);
  }

  /** The calls written, each with a name of its own. */
  List<String> cids() {
    return cids;
  }

  Map<String, Integer> byDecision() {
    return byDecision;
  }

  /** Lines of the limiter's that can't be read. */
  int dead() {
    return dead;
  }
}
