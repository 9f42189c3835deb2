package org.capacityobservatory.api;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;

/** All that answers, made once, with what runs in the background. */
final class Resources implements AutoCloseable {
  private final Tokens tokens;
  private final Sessions sessions = new Sessions();
  final Health health;
  final DecisionsResource decisions;
  final LatencyResource latency;
  final LatencyHeatmap latencyHeatmap;
  final LanesResource lanes;
  final LaneTimes laneTimes;
  final LaneIntervals laneIntervals;
  final UsageResource usage;
  final RunsResource runs;
  final CallsResource calls;
  final CallStory story;
  final CallsExport export;
  final ConfigChangesResource configChanges;
  final PipelineResource pipeline;
  final QualityResource quality;
  final DeadLettersResource deadLetters;
  final VerificationResource verification;
  final SessionResource session;
  final ViewsResource views;
  final CalibrationJobs jobs;
  final CalibrationsResource calibrations;
  private final Replays replays;
  final WhatIfResource whatIf;
  final GateResource gate;
  final SqlResource sql;
  final Live live;
  final AlarmsResource alarms;

  Resources(ApiConfig config, MeterRegistry meters, InstantSource clock) {
    Store store = new Store(config.clickHouse(), config.limits(), meters);
    Store recordings = new Store(config.clickHouse(), QueryLimits.OF_CALIBRATIONS, meters);
    StateStore state = new StateStore(config.stateWriter());
    Completeness completeness = new Completeness(store);
    tokens = new Tokens(config.tokens());
    health = new Health(store);
    decisions = new DecisionsResource(store, completeness, clock);
    latency = new LatencyResource(store, completeness, clock);
    latencyHeatmap = new LatencyHeatmap(store, completeness, clock);
    lanes = new LanesResource(store, completeness, clock);
    laneTimes = new LaneTimes(store, completeness, clock);
    laneIntervals = new LaneIntervals(store, completeness, clock);
    usage = new UsageResource(store, completeness, clock);
    runs = new RunsResource(store, completeness, clock);
    calls = new CallsResource(store, clock);
    configChanges = new ConfigChangesResource(store, clock);
    story = new CallStory(store, calls, configChanges, clock);
    export = new CallsExport(calls, clock);
    pipeline = new PipelineResource(store, new Pipeline(store), completeness, clock);
    quality = new QualityResource(store, completeness, clock);
    deadLetters = new DeadLettersResource(store, clock);
    verification = new VerificationResource(store, clock);
    session =
        new SessionResource(tokens, sessions, state.writable(), config.publicUrl() != null, clock);
    views = new ViewsResource(store, state, clock);
    jobs = new CalibrationJobs(recordings, state, clock);
    calibrations = new CalibrationsResource(store, jobs, clock);
    replays = new Replays(store, clock);
    whatIf = new WhatIfResource(replays, clock);
    gate = new GateResource(replays, clock);
    sql = new SqlResource(clock);
    live = new Live(store, calls, completeness, clock);
    alarms = new AlarmsResource(store, recordings, state, clock);
  }

  Tokens tokens() {
    return tokens;
  }

  Sessions sessions() {
    return sessions;
  }

  /** Ends what runs in the background. */
  @Override
  public void close() {
    live.close();
    jobs.close();
    replays.close();
  }
}
