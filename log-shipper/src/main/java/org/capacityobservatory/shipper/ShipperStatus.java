package org.capacityobservatory.shipper;

import java.util.List;

/**
 * What a shipper does and where its sources stand, as of the last committed transaction.
 *
 * @param state what it does
 * @param sources its sources by name
 * @param transactionsCommitted since its start
 * @param transactionsAborted since its start
 * @param identitiesChanged files that had the inode of another one, since its start
 * @param truncations files found shorter than what was read of them, since its start
 * @param copiesRecognised files found to be copies of a generation known already, since its start
 * @param files what it holds open, as of the last look at the disk: also while Kafka is away
 */
public record ShipperStatus(
    State state,
    List<SourceStatus> sources,
    long transactionsCommitted,
    long transactionsAborted,
    long identitiesChanged,
    long truncations,
    long copiesRecognised,
    FileHandles files) {

  /** Makes the list immutable. */
  public ShipperStatus {
    sources = List.copyOf(sources);
  }

  /** What a shipper does. */
  public enum State {
    /** It connects and reads its positions. */
    STARTING,
    /** It reads and ships. */
    SHIPPING,
    /** Kafka doesn't answer: nothing is read until it does. */
    WAITING_FOR_BROKER,
    /** It has shipped everything it was asked to ship once. */
    DONE,
    /** It was closed. */
    CLOSED,
    /** It stopped by a failure. */
    FAILED
  }

  static ShipperStatus starting() {
    return new ShipperStatus(State.STARTING, List.of(), 0, 0, 0, 0, 0, FileHandles.NONE);
  }

  ShipperStatus as(State newState) {
    return with(newState, files);
  }

  ShipperStatus with(FileHandles newFiles) {
    return with(state, newFiles);
  }

  private ShipperStatus with(State newState, FileHandles newFiles) {
    return new ShipperStatus(
        newState,
        sources,
        transactionsCommitted,
        transactionsAborted,
        identitiesChanged,
        truncations,
        copiesRecognised,
        newFiles);
  }
}
