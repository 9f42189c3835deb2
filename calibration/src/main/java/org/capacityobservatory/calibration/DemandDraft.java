package org.capacityobservatory.calibration;

import java.util.List;

/** A {@link Demand} in the making: the same arrays, still to be filled. */
final class DemandDraft {
  final int calls;
  Demand.Names names =
      new Demand.Names(List.of(), List.of(), List.of(), List.of(), List.of(), List.of());
  ServiceModel service = ServiceModel.flat(1, 0, 0, 0);
  boolean dealsInTurn = true;
  final int[] tier;
  final int[] user;
  final int[] endpoint;
  final int[] source;
  final int[] stretchClass;
  final int[] recordedTask;
  final int[] rows;
  final boolean[] singleRow;
  final boolean[] knn;
  final boolean[] match;
  final int[] tab;
  final double[] baseMicros;
  final long[] heldMicros;
  final double[] recordedConcurrency;
  final long[] earliest;
  final long[] latest;
  final int[] stage;
  final boolean[] follower;
  final long[] thinkLow;
  final long[] thinkHigh;
  final int[] link;
  final int[] unit;
  Demand.Stages stages =
      new Demand.Stages(
          new int[1], new int[0], new int[0], new boolean[0], new int[0], new double[0]);
  int units;
  int tabs;
  long[] runSpanMicros = {};

  DemandDraft(int calls) {
    this.calls = calls;
    tier = new int[calls];
    user = new int[calls];
    endpoint = new int[calls];
    source = new int[calls];
    stretchClass = new int[calls];
    recordedTask = new int[calls];
    rows = new int[calls];
    singleRow = new boolean[calls];
    knn = new boolean[calls];
    match = new boolean[calls];
    tab = none(calls);
    baseMicros = new double[calls];
    heldMicros = new long[calls];
    recordedConcurrency = new double[calls];
    earliest = new long[calls];
    latest = new long[calls];
    stage = none(calls);
    follower = new boolean[calls];
    thinkLow = new long[calls];
    thinkHigh = new long[calls];
    link = none(calls);
    unit = new int[calls];
  }

  /** A draft that shares another demand's columns, but for the base and the service model. */
  DemandDraft(Demand d) {
    calls = d.calls;
    names = d.names;
    dealsInTurn = d.dealsInTurn;
    baseMicros = new double[d.calls];
    stages = d.stages;
    units = d.units;
    tabs = d.tabs;
    runSpanMicros = d.runSpanMicros;
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
  }

  private static int[] none(int count) {
    int[] array = new int[count];
    java.util.Arrays.fill(array, Demand.NONE);
    return array;
  }
}
