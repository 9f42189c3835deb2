package org.capacityobservatory.calibration;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a replay assumes beside the demand.
 *
 * @param config the config, step by step; its mode and {@code enforce_for} don't count here
 * @param enforcement who can be refused
 * @param aware the sources whose clients know 429s; null: not told, so all obey
 * @param closed whether runs wait for their own calls; else every call comes when it was recorded
 * @param retries whether a refused call is tried again; else it is gone
 * @param workers per task; 0 for no limit
 * @param fittedService held time from the fitted stretch; else as recorded
 * @param whatIfs switches under discussion
 */
public record Scenario(
    ConfigTimeline config,
    Enforcement enforcement,
    @Nullable Set<String> aware,
    boolean closed,
    boolean retries,
    int workers,
    boolean fittedService,
    Set<WhatIf> whatIfs) {
  /** Who can be refused. */
  public enum Enforcement {
    /** Nobody: the limiter only counts (shadow mode). */
    NOBODY,
    /** Only calls of aware clients; the rest go through and are counted. */
    AWARE,
    /** Every call. */
    ALL
  }

  /** Copies the sets. */
  public Scenario {
    aware = aware == null ? null : Set.copyOf(aware);
    whatIfs = Set.copyOf(whatIfs);
    if (workers < 0) {
      throw new InvalidConfigException(
          java.util.List.of("workers must be 0 (no limit) or more, not " + workers));
    }
  }

  /**
   * Closed loops, obeying clients, four workers a task, fitted service: what is true by default.
   */
  public static Scenario of(ConfigTimeline config, Enforcement enforcement) {
    return new Scenario(config, enforcement, null, true, true, 4, true, Set.of());
  }

  /** The same with another config. */
  public Scenario withConfig(ConfigTimeline other) {
    return new Scenario(
        other, enforcement, aware, closed, retries, workers, fittedService, whatIfs);
  }

  /** The same with another enforcement. */
  public Scenario withEnforcement(Enforcement other) {
    return new Scenario(config, other, aware, closed, retries, workers, fittedService, whatIfs);
  }

  /** The same with other aware sources. */
  public Scenario withAware(@Nullable Set<String> other) {
    return new Scenario(
        config, enforcement, other, closed, retries, workers, fittedService, whatIfs);
  }

  /** The same with switches set. */
  public Scenario withWhatIfs(Set<WhatIf> switches) {
    return new Scenario(
        config, enforcement, aware, closed, retries, workers, fittedService, switches);
  }
}
