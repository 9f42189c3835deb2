package org.capacityobservatory.shipper;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A source that is no file, and how to read it. */
public sealed interface FeedConfig {
  /** What is wrong with it, each in a sentence; empty if nothing is. */
  List<String> problems();

  /** The shipper's standard input, to its end. It can't be read again: docs/operations.md. */
  record Stdin() implements FeedConfig {
    @Override
    public List<String> problems() {
      return List.of();
    }
  }

  /**
   * systemd's journal on this host.
   *
   * @param command the journalctl to run
   * @param unit only this unit's entries; empty for the whole journal
   */
  record Journald(String command, String unit) implements FeedConfig {
    /** The journal as {@code journalctl} on the PATH reads it. */
    public static Journald of(String unit) {
      return new Journald("journalctl", unit);
    }

    @Override
    public List<String> problems() {
      List<String> problems = new ArrayList<>();
      if (command.isBlank()) {
        problems.add("journald.command is empty: name journalctl");
      }
      if (!unit.isEmpty() && !unit.matches("[A-Za-z0-9:_.@\\\\-]{1,255}")) {
        problems.add("journald.unit is no unit's name: " + unit);
      }
      return problems;
    }
  }

  /**
   * A log group of CloudWatch Logs. Credentials come from the AWS SDK's default chain.
   *
   * @param group the log group's name, 1 to 512 characters
   * @param region the AWS region, such as {@code eu-central-1}
   * @param endpoint another endpoint than the region's, or null
   * @param since where the first run begins; later ones go on where the last stopped
   * @param overlap how long after its own time an event may become visible and is still shipped; 1
   *     s–1 h
   * @param pollInterval how often it is asked for new events; 10 ms–1 h
   */
  record CloudWatch(
      String group,
      String region,
      @Nullable URI endpoint,
      Instant since,
      Duration overlap,
      Duration pollInterval)
      implements FeedConfig {
    @Override
    public List<String> problems() {
      List<String> problems = new ArrayList<>();
      if (!group.matches("[.\\-_/#A-Za-z0-9]{1,512}")) {
        problems.add("cloudwatch.group is no log group's name: '%s'".formatted(group));
      }
      if (!region.matches("[a-z0-9-]{1,64}")) {
        problems.add("cloudwatch.region is no AWS region: '%s'".formatted(region));
      }
      if (endpoint != null && (endpoint.getHost() == null || endpoint.getScheme() == null)) {
        problems.add("cloudwatch.endpoint must be a URL such as http://127.0.0.1:4566");
      }
      if (since.isBefore(Instant.EPOCH)) {
        problems.add("cloudwatch.since must not be before 1970");
      }
      if (overlap.compareTo(Duration.ofSeconds(1)) < 0
          || overlap.compareTo(Duration.ofHours(1)) > 0) {
        problems.add("cloudwatch.overlap must be between PT1S and PT1H, not " + overlap);
      }
      if (pollInterval.compareTo(Duration.ofMillis(10)) < 0
          || pollInterval.compareTo(Duration.ofHours(1)) > 0) {
        problems.add("cloudwatch.pollInterval must be between PT0.01S and PT1H");
      }
      return problems;
    }
  }
}
