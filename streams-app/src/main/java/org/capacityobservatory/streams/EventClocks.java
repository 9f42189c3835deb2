package org.capacityobservatory.streams;

import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.apache.kafka.streams.errors.StreamsException;
import org.capacityobservatory.log.Topics;
import org.capacityobservatory.metrics.MetricsConfig;
import org.capacityobservatory.metrics.Minute;
import org.capacityobservatory.metrics.Occupancy;

/**
 * The event time of one partition's sources: which minutes are complete, which are closed, and
 * which lines are late.
 *
 * <p>Each source has a clock of its own, moved by its lines alone, and a line is late by that clock
 * only: a backfill beside live sources never is. A minute is <em>complete</em> once every source
 * has passed its end by 5 s, and <em>closed</em> once the grace is over too. Two kinds of sources
 * hold nothing back: those that catch up, being more than the grace behind what is complete
 * already; and those that were so when they fell idle.
 *
 * <p>A source is idle when the partition's reading has gone on without it. Reading goes on with the
 * lines of other sources and, when there are none at all, with the wall clock: that is its only
 * part. The clock of an idle source follows the reading. All this is stored, so a restart changes
 * nothing.
 */
final class EventClocks {
  /** How far an event time may lie past its line's reading and still move a clock there. */
  static final long MAX_AHEAD_MILLIS = 60_000;

  /** How far past a minute's end a source must be: a line's time is when it was written. */
  static final long COMPLETE_AFTER_MILLIS = 5_000;

  /** A source without lines for so long is forgotten; if it comes back it is a new one. */
  private static final long FORGET_AFTER_MILLIS = Duration.ofHours(24).toMillis();

  private final long graceMillis;
  private final long idleAfterMillis;
  private final HeapStore<String, SourceClock> sourceStore;
  private final HeapStore<String, PartitionClock> partitionStore;
  private final Map<String, SourceClock> sources = new HashMap<>();
  private PartitionClock partition = new PartitionClock();
  private long lastLineWallMillis;

  EventClocks(
      MetricsConfig config,
      HeapStore<String, SourceClock> sourceStore,
      HeapStore<String, PartitionClock> partitionStore,
      long nowMillis) {
    this.graceMillis = config.grace().toMillis();
    this.idleAfterMillis = config.idleAfter().toMillis();
    this.sourceStore = sourceStore;
    this.partitionStore = partitionStore;
    this.lastLineWallMillis = nowMillis;
    sourceStore.load(sources::put);
    partitionStore.load((name, clock) -> partition = clock);
  }

  /**
   * Makes sure that what is stored came from this very topic: one made anew under the same name
   * counts its offsets from 0, and partials are named by them.
   *
   * @throws StreamsException when it came from another one
   */
  void requireTopic(String topicId) {
    String stored = partition.topicId();
    if (stored.isEmpty()) {
      partition.setTopicId(topicId); // stored with the first line
    } else if (!stored.equals(topicId)) {
      throw new StreamsException(
          ("Topic %s was made anew (its id was %s and is %s): its offsets say nothing about the lines"
                  + " that were counted. Start with another --application-id and another database")
              .formatted(Topics.LINES, stored, topicId));
    }
  }

  /**
   * Moves a source's clock by one of its lines.
   *
   * @param eventMillis the line's time, epoch ms
   * @param readMillis when it was read, epoch ms
   * @return whether the line is late
   */
  boolean move(String source, long eventMillis, long readMillis, long nowMillis) {
    boolean future = eventMillis > readMillis + MAX_AHEAD_MILLIS;
    long event = future ? readMillis : eventMillis;
    // A reader's wrong clock must not make all other sources idle.
    long read = Math.min(readMillis, nowMillis + MAX_AHEAD_MILLIS);
    boolean late = false;
    SourceClock clock = sources.get(source);
    if (clock == null) {
      clock = new SourceClock(event, read);
      sources.put(source, clock);
    } else {
      long closedAt = Minute.startOf(eventMillis) + Minute.MILLIS + graceMillis;
      late = closedAt <= timeOf(clock);
      clock.moveTo(event, read);
    }
    sourceStore.changed(source, clock);
    partition.readUntil(read);
    if (future) {
      partition.countFutureTime();
    }
    if (late) {
      partition.countLateLine();
    }
    partitionStore.changed("", partition);
    lastLineWallMillis = nowMillis;
    return late;
  }

  /** Lets wall clock go on for a silent partition, and finds what is complete by now. */
  void tick(long nowMillis) {
    if (sources.isEmpty()) {
      return;
    }
    if (nowMillis - lastLineWallMillis >= idleAfterMillis) {
      partition.readUntil(nowMillis);
      partitionStore.changed("", partition);
    }
    forgetTheLongSilent();
    long passed = passedByAll(false);
    if (passed == Long.MAX_VALUE && partition.passedMillis() == PartitionClock.NEVER) {
      passed = passedByAll(true);
    }
    if (passed != Long.MAX_VALUE && passed > partition.passedMillis()) {
      partition.passedUntil(passed);
      partitionStore.changed("", partition);
    }
  }

  /** The least time of the sources that hold something back; the greatest long when none does. */
  private long passedByAll(boolean evenThoseThatCatchUp) {
    long least = Long.MAX_VALUE;
    for (SourceClock clock : sources.values()) {
      if (evenThoseThatCatchUp || !catchesUp(clock)) {
        least = Math.min(least, timeOf(clock));
      }
    }
    return least;
  }

  private boolean catchesUp(SourceClock clock) {
    boolean leftBehind =
        partition.passedMillis() != PartitionClock.NEVER
            && timeOf(clock) < partition.passedMillis() - graceMillis;
    return leftBehind || (isIdle(clock) && isFarBehind(clock));
  }

  private long timeOf(SourceClock clock) {
    if (!isIdle(clock)) {
      return clock.eventMillis();
    }
    long read = partition.readMillis() - idleAfterMillis;
    long carried = isFarBehind(clock) ? clock.eventMillis() + read - clock.readMillis() : read;
    return Math.max(clock.eventMillis(), carried);
  }

  private boolean isIdle(SourceClock clock) {
    return partition.readMillis() - clock.readMillis() >= idleAfterMillis;
  }

  /** Whether a source's lines were old when they were read: a backfill. */
  private boolean isFarBehind(SourceClock clock) {
    return clock.readMillis() - clock.eventMillis() > graceMillis;
  }

  private void forgetTheLongSilent() {
    Iterator<Map.Entry<String, SourceClock>> all = sources.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<String, SourceClock> entry = all.next();
      if (partition.readMillis() - entry.getValue().readMillis() > FORGET_AFTER_MILLIS) {
        sourceStore.delete(entry.getKey(), entry.getValue());
        all.remove();
      }
    }
  }

  /** The partition's clock, to be published. */
  PartitionClock partition() {
    return partition;
  }

  /** Notes that the partition's clock is published as a new revision. */
  void countRevision() {
    partition.countRevision();
    partitionStore.changed("", partition);
  }

  /** Minutes before this one are complete; {@link PartitionClock#NEVER}: none is. */
  long completeUntilMillis() {
    return minuteBeforePassedBy(COMPLETE_AFTER_MILLIS);
  }

  /** Minutes before this one are closed; {@link PartitionClock#NEVER}: none is. */
  long closedUntilMillis() {
    return minuteBeforePassedBy(graceMillis);
  }

  /**
   * Minutes before this one are closed for occupancy too: a call that was held for the longest
   * possible time is known only when it ends.
   */
  long occupancyClosedUntilMillis() {
    return minuteBeforePassedBy(graceMillis + Occupancy.MAX_HELD_MS);
  }

  /** Minutes before this one have all their occupancy, as far as every source has come. */
  long occupancyCompleteUntilMillis() {
    return minuteBeforePassedBy(COMPLETE_AFTER_MILLIS + Occupancy.MAX_HELD_MS);
  }

  private long minuteBeforePassedBy(long millis) {
    long passed = partition.passedMillis();
    return passed == PartitionClock.NEVER ? passed : Minute.startOf(passed - millis);
  }

  /** How many sources are known. */
  int sources() {
    return sources.size();
  }

  /** How many of them are idle. */
  int idleSources() {
    return (int) sources.values().stream().filter(this::isIdle).count();
  }
}
