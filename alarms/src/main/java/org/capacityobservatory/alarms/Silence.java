package org.capacityobservatory.alarms;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Alarms that nobody is told of for a while. They are judged and kept all the same, and an alarm
 * that still fires when its silence ends is told then.
 *
 * @param id constant over revisions
 * @param matchers label to the value that it must have; {@code alertname} is the rule's name; at
 *     least one
 * @param reason why, for those who come after
 * @param createdBy who made this revision
 * @param startsAt wall clock
 * @param endsAt after the start
 * @param revision 1, 2, …
 */
public record Silence(
    UUID id,
    Map<String, String> matchers,
    String reason,
    String createdBy,
    Instant startsAt,
    Instant endsAt,
    long revision) {
  /** The label that stands for the rule's name. */
  public static final String ALERT_NAME = "alertname";

  private static final int MAX_CHARS = 500;

  /** Checks all of it, and says every problem. */
  public Silence {
    matchers = java.util.Collections.unmodifiableMap(new TreeMap<>(matchers));
    List<String> problems = new ArrayList<>();
    if (matchers.isEmpty()) {
      problems.add("matchers are missing: name what is silenced, such as alertname");
    }
    if (reason.isBlank() || reason.length() > MAX_CHARS) {
      problems.add("reason must have 1 to " + MAX_CHARS + " characters");
    }
    if (createdBy.isBlank() || createdBy.length() > MAX_CHARS) {
      problems.add("createdBy must have 1 to " + MAX_CHARS + " characters");
    }
    if (endsAt.isBefore(startsAt)) {
      problems.add("it ends at " + endsAt + ", before it starts at " + startsAt);
    }
    if (revision < 1) {
      problems.add("revision is " + revision + ": at least 1");
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException("Silence: " + String.join("; ", problems));
    }
  }

  /** The next revision, which ends at a time. */
  public Silence endedBy(String who, Instant at) {
    Instant end = at.isBefore(startsAt) ? startsAt : at;
    return new Silence(id, matchers, reason, who, startsAt, end, revision + 1);
  }

  /** Whether it silences a series at a time. */
  boolean silences(Map<String, String> labels, Instant now) {
    return !now.isBefore(startsAt)
        && now.isBefore(endsAt)
        && matchers.entrySet().stream()
            .allMatch(m -> m.getValue().equals(labels.getOrDefault(m.getKey(), "")));
  }
}
