package org.capacityobservatory.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import org.capacityobservatory.calibration.Json;
import org.capacityobservatory.metrics.MetricsConfig;
import org.capacityobservatory.sql.ClickHouse;
import org.capacityobservatory.sql.Verification;
import org.capacityobservatory.streams.Recompute;
import org.jdbi.v3.core.JdbiException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "recompute",
    description = {
      "Makes the minutes of a period anew from the stored calls, and recounts them.",
      "Late lines don't need it: they are counted when they come. It is the way back after lost"
          + " minutes, or when the classes that calls are counted by have changed.",
      "Exit code 3 when the recount differs in the end: give the command again."
    },
    mixinStandardHelpOptions = true)
final class RecomputeCommand implements Callable<Integer> {
  private static final int DIFFERS = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Mixin private ClickHouseOptions clickHouse;
  @Mixin private SchemaOptions schema;
  @Mixin private CountingOptions counting;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      required = true,
      description = "The first minute (RFC 3339, e.g. 2026-11-30T09:00:00Z).")
  private String from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      required = true,
      description = "The end, not included; all before must be closed (RFC 3339).")
  private String to;

  @Option(
      names = "--format",
      defaultValue = "TEXT",
      paramLabel = "text|json",
      description = "Form of the result (default: text).")
  private VerifyCommand.Format format;

  private long cells;

  @Override
  public Integer call() throws InterruptedException {
    Instant first = Times.readMinute("--from", from);
    Instant end = Times.readMinute("--to", to);
    if (!first.isBefore(end)) {
      throw new UsageException("--from must be before --to.");
    }
    Verification result;
    try {
      recompute(first, end);
      result =
          Verification.lasting(
              ClickHouse.queries(clickHouse.config(), new Properties()),
              first,
              end,
              InstantSource.system(),
              PATIENCE,
              Duration.ofDays(schema.retention().rowDays()),
              counting.nearLimitShare());
    } catch (JdbiException e) {
      throw Recounting.unanswered(clickHouse.config(), e);
    }
    System.out.print(format == VerifyCommand.Format.JSON ? Json.write(tree(result)) : text(result));
    return result.agrees() ? 0 : DIFFERS;
  }

  private void recompute(Instant first, Instant end) {
    Recompute recompute =
        new Recompute(
            clickHouse.config(),
            schema.layout(),
            schema.retention(),
            metrics(),
            InstantSource.system());
    recompute.run(
        first,
        end,
        done -> {
          cells = done.cells();
          System.err.printf(
              "capacity: up to %s: %,d lines, %,d cells%n",
              done.until(), done.lines(), done.cells());
        });
  }

  private MetricsConfig metrics() {
    try {
      MetricsConfig usual = MetricsConfig.DEFAULT;
      return counting.config(usual.grace(), usual.idleAfter());
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private Map<String, Object> tree(Verification result) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("cells", cells);
    tree.putAll(Recounting.tree(result));
    return tree;
  }

  private String text(Verification result) {
    return "%,d cells made anew%n".formatted(cells) + Recounting.text(result);
  }
}
