package org.capacityobservatory.streams.writer;

import java.time.Duration;

/**
 * How long rows wait for company, and how long the writer waits after a refusal.
 *
 * <p>Each insert makes a part, and ClickHouse refuses inserts once parts come faster than it merges
 * them. So where inserting is slow or refused, blocks are let grow; where it is quick again, rows
 * wait less.
 */
final class Pace {
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(60);
  private static final Duration LONGEST_AGE = Duration.ofSeconds(30);

  private final Duration usualAge;
  private Duration age;
  private Duration pause = FIRST_PAUSE;

  Pace(Duration usualAge) {
    this.usualAge = usualAge;
    this.age = usualAge;
  }

  /** How long a row may wait for others now. */
  Duration blockAge() {
    return age;
  }

  /** A block was stored. */
  void stored(Duration took) {
    pause = FIRST_PAUSE;
    if (took.compareTo(age) > 0) {
      grow();
    } else if (took.multipliedBy(2).compareTo(age) < 0) {
      Duration half = age.dividedBy(2);
      age = half.compareTo(usualAge) < 0 ? usualAge : half;
    }
  }

  /**
   * A block was refused, or nobody answered.
   *
   * @return how long to wait before it is sent again: 1 s, then twice as long each time, to 60 s
   */
  Duration failed() {
    grow();
    Duration now = pause;
    pause = shorter(pause.multipliedBy(2), LONGEST_PAUSE);
    return now;
  }

  private void grow() {
    Duration limit = usualAge.compareTo(LONGEST_AGE) > 0 ? usualAge : LONGEST_AGE;
    Duration twice = age.isZero() ? FIRST_PAUSE : age.multipliedBy(2);
    age = shorter(twice, limit);
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }
}
