package org.capacityobservatory.metrics;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the values of one dimension few: new ones are let in up to a capacity, the rest become
 * {@link Dimensions#OTHER}.
 *
 * <p>A value that nobody brought for a day makes room, so that task names may change with every
 * deployment. Which values are in isn't stored: cells add up under whichever name. Not safe for
 * several threads.
 */
final class ClosedSet {
  private static final int MAX_CHARS = 100;
  private static final long FORGET_AFTER_MILLIS = 24 * 3_600_000L;

  private final String dimension;
  private final int capacity;
  private final Dimensions.Listener listener;
  private final Map<String, Member> members = new HashMap<>();

  private static final class Member {
    final String value;
    final boolean known;
    long broughtAtMillis;

    Member(String value, boolean known) {
      this.value = value;
      this.known = known;
    }
  }

  /**
   * Makes a set.
   *
   * @param known what this version knows; always in
   * @param capacity how many more values may be in at once
   */
  ClosedSet(String dimension, Set<String> known, int capacity, Dimensions.Listener listener) {
    this.dimension = dimension;
    this.capacity = known.size() + capacity;
    this.listener = listener;
    known.forEach(value -> members.put(value, new Member(value, true)));
  }

  /** The value as it may name a cell; null stays null. */
  @Nullable String admitted(@Nullable String value, long nowMillis) {
    return value == null ? null : admit(value, nowMillis);
  }

  String admit(String value, long nowMillis) {
    Member member = members.get(value);
    if (member == null) {
      listener.unknown(dimension, value);
      if (value.length() > MAX_CHARS || !hasRoom(nowMillis)) {
        listener.overflowed(dimension, value);
        return Dimensions.OTHER;
      }
      member = new Member(value, false);
      members.put(value, member);
    } else if (!member.known) {
      listener.unknown(dimension, value);
    }
    member.broughtAtMillis = nowMillis;
    return member.value;
  }

  private boolean hasRoom(long nowMillis) {
    if (members.size() >= capacity) {
      members
          .values()
          .removeIf(m -> !m.known && m.broughtAtMillis < nowMillis - FORGET_AFTER_MILLIS);
    }
    return members.size() < capacity;
  }
}
