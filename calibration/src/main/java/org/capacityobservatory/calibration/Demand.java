package org.capacityobservatory.calibration;

import java.util.List;

/**
 * What clients wanted, apart from what the limiter made of it: calls with the work they hold, the
 * runs that tie some of them into closed loops, and the service model that turns work into time.
 *
 * <p>Times are µs since the epoch. Arrays are indexed by call, in order of the earliest moment at
 * which a call can have been requested; they are never written after construction.
 */
public final class Demand {
  /** No run, no tab, no link. */
  static final int NONE = -1;

  final int calls;
  final Names names;
  final ServiceModel service;

  /** Whether the load balancer deals requests to the tasks in turn; else at random. */
  final boolean dealsInTurn;

  final int[] tier;
  final int[] user;
  final int[] endpoint;
  final int[] source;
  final int[] stretchClass;
  final int[] recordedTask;
  final int[] rows;
  final boolean[] singleRow;
  final boolean[] knn;

  /** A {@code $match}: uses the daily allowance. */
  final boolean[] match;

  /** The Mapper's: a 429 pauses its tab. */
  final int[] tab;

  /** Held time at concurrency 1. */
  final double[] baseMicros;

  final long[] heldMicros;

  /** What the stretch's driver counted as the call ran. */
  final double[] recordedConcurrency;

  /** The request came in earliest … latest. */
  final long[] earliest;

  final long[] latest;

  /** The stage of a run, or NONE for an open call. */
  final int[] stage;

  /** A follower waits for its stage; its think time lies in thinkLow … thinkHigh. */
  final boolean[] follower;

  final long[] thinkLow;
  final long[] thinkHigh;

  /** The call of a linked stage that becomes ready when this one ends. */
  final int[] link;

  /** The run or session that the call belongs to: the unit of resampling. */
  final int[] unit;

  final Stages stages;
  final int units;
  final int tabs;

  /** Recorded span of each run: first request to last end. */
  final long[] runSpanMicros;

  /**
   * The words behind the indices.
   *
   * @param userIds −1 for calls that name no user
   */
  record Names(
      List<String> tiers,
      List<Long> userIds,
      List<String> endpoints,
      List<String> sources,
      List<String> stretchClasses,
      List<String> tasks) {}

  /**
   * The stages of runs: the calls of one run to one endpoint.
   *
   * @param first where a stage's calls begin in {@code order}; one longer than there are stages
   * @param order calls, stage by stage, in the order in which they were sent
   * @param width calls that a stage keeps in flight
   * @param linked whether its calls wait for the end of calls of another stage
   * @param run the run it belongs to
   * @param meanThinkMicros mean think time before a follower is sent
   */
  @SuppressWarnings("ArrayRecordComponent") // Plain columns; nobody compares them.
  record Stages(
      int[] first,
      int[] order,
      int[] width,
      boolean[] linked,
      int[] run,
      double[] meanThinkMicros) {
    int count() {
      return width.length;
    }
  }

  Demand(DemandDraft d) {
    calls = d.calls;
    names = d.names;
    service = d.service;
    dealsInTurn = d.dealsInTurn;
    tier = d.tier;
    user = d.user;
    endpoint = d.endpoint;
    source = d.source;
    stretchClass = d.stretchClass;
    recordedTask = d.recordedTask;
    rows = d.rows;
    singleRow = d.singleRow;
    knn = d.knn;
    match = d.match;
    tab = d.tab;
    baseMicros = d.baseMicros;
    heldMicros = d.heldMicros;
    recordedConcurrency = d.recordedConcurrency;
    earliest = d.earliest;
    latest = d.latest;
    stage = d.stage;
    follower = d.follower;
    thinkLow = d.thinkLow;
    thinkHigh = d.thinkHigh;
    link = d.link;
    unit = d.unit;
    stages = d.stages;
    units = d.units;
    tabs = d.tabs;
    runSpanMicros = d.runSpanMicros;
  }

  /**
   * The same calls seen through a stretch moved by some standard errors: what was recorded stays,
   * so the base moves against the stretch.
   */
  Demand withMovedService(double standardErrors) {
    ServiceModel moved = service.moved(standardErrors);
    DemandDraft copy = new DemandDraft(this);
    copy.service = moved;
    for (int c = 0; c < calls; c++) {
      copy.baseMicros[c] = heldMicros[c] / moved.stretch(stretchClass[c], recordedConcurrency[c]);
    }
    return new Demand(copy);
  }

  /** How many calls. */
  public int size() {
    return calls;
  }

  /** The fitted service model. */
  public ServiceModel service() {
    return service;
  }

  /** How many runs. */
  public int runs() {
    return runSpanMicros.length;
  }

  /** How many runs and sessions: the units that are resampled whole. */
  public int units() {
    return units;
  }

  /** The API tasks seen. */
  public List<String> tasks() {
    return names.tasks();
  }

  /** The sources ({@code request_source}) seen. */
  public List<String> sources() {
    return names.sources();
  }

  /** The tiers seen. */
  public List<String> tiers() {
    return names.tiers();
  }
}
