package org.capacityobservatory.alarms;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.capacityobservatory.metrics.Lane;

/**
 * The metrics that rules may name. Each is one named query that gives a minute's parts and wholes
 * by labels from closed sets; free text is never a label.
 */
public enum Metric {
  LANE_FULL_SHARE(
      "lane_full_share",
      Kind.SHARE,
      Clock.MINUTES,
      "alarm-lanes-full",
      "Calls that found the lane full, of the calls that passed it",
      namesOf("lane", "tier", "task"),
      "lane"),
  LANE_NEAR_LIMIT_SHARE(
      "lane_near_limit_share",
      Kind.SHARE,
      Clock.MINUTES,
      "alarm-lanes-near",
      "Calls that found the lane near its limit or at it, of those that say its numbers",
      namesOf("lane", "tier", "task"),
      "lane"),
  LANE_IN_FLIGHT(
      "lane_in_flight",
      Kind.MAX,
      Clock.MINUTES,
      "alarm-lanes-in-flight",
      "Most calls in flight in the lane that any call saw",
      namesOf("lane", "tier", "task"),
      "lane"),
  LANE_LIMIT(
      "lane_limit",
      Kind.MAX,
      Clock.MINUTES,
      "alarm-lanes-limit",
      "Greatest limit of the lane that any call saw; 0 is a paused lane",
      namesOf("lane", "tier", "task"),
      "lane"),
  LANE_AT_LIMIT_SHARE(
      "lane_at_limit_share",
      Kind.SHARE,
      Clock.OCCUPANCY,
      "alarm-lanes-at-limit",
      "Time for which the lane held as many calls as its limit or more, of all time",
      namesOf("lane", "tier", "task"),
      "lane"),
  REFUSED_SHARE(
      "refused_share",
      Kind.SHARE,
      Clock.MINUTES,
      "alarm-refused",
      "Calls that were refused or would have been, of all calls",
      namesOf("tier", "endpoint", "single_row", "mode", "enforced"),
      ""),
  REFUSED_BEYOND_FORECAST(
      "refused_beyond_forecast",
      Kind.SHARE,
      Clock.MINUTES,
      "alarm-refused-beyond-forecast",
      "Share of calls under enforcement that were refused, less the upper end of the stored forecast;"
          + " group is all or tier.NAME",
      namesOf("group"),
      "group"),
  UNAVAILABLE_SHARE(
      "unavailable_share",
      Kind.SHARE,
      Clock.MINUTES,
      "alarm-unavailable",
      "Calls that went ahead uncounted since the limiter failed, of all calls",
      namesOf("endpoint", "mode"),
      ""),
  CALLS(
      "calls",
      Kind.COUNT,
      Clock.MINUTES,
      "alarm-calls",
      "Calls in the window",
      namesOf("decision", "scope", "tier", "endpoint", "single_row", "mode"),
      ""),
  CALLS_PER_MINUTE(
      "calls_per_minute",
      Kind.PER_MINUTE,
      Clock.MINUTES,
      "alarm-calls",
      "Calls a minute over the window",
      namesOf("decision", "scope", "tier", "endpoint", "single_row", "mode"),
      ""),
  MODES(
      "modes",
      Kind.MAX,
      Clock.MINUTES,
      "alarm-modes",
      "Different modes that calls of one minute were under",
      namesOf(),
      ""),
  QUEUED_5S_SHARE(
      "queued_5s_share",
      Kind.SHARE,
      Clock.MINUTES,
      "alarm-queued",
      "Calls that surely waited 5 s or longer for a worker (queue_ms of 6 s or more: the stamp is high"
          + " by up to 999 ms), of those that say how long",
      namesOf("endpoint", "single_row", "tier"),
      ""),
  EVENTS(
      "events",
      Kind.COUNT,
      Clock.MINUTES,
      "alarm-events",
      "Rare things: lease_lost, held_too_long, log_dropped, error, type_error",
      namesOf("kind"),
      "kind"),
  CONFIG_CHANGES(
      "config_changes",
      Kind.COUNT,
      Clock.MINUTES,
      "alarm-config-changes",
      "Changes of the limiter's config",
      namesOf("mode", "change_source"),
      ""),
  CONFIG_STALE_CALLS(
      "config_stale_calls",
      Kind.COUNT,
      Clock.MINUTES,
      "alarm-config-stale",
      "Calls that began over 30 s after a change and were still under the old value",
      namesOf("setting", "task"),
      ""),
  USER_FILLS_LANE_SHARE(
      "user_fills_lane_share",
      Kind.SHARE,
      Clock.MINUTES,
      "alarm-users-lane",
      "Of a user's calls, those that found api_heavy full with at least half of it held by this user",
      namesOf("user_id"),
      "user_id"),
  USER_REFUSED_SHARE(
      "user_refused_share",
      Kind.SHARE,
      Clock.MINUTES,
      "alarm-users-refused",
      "Of a user's calls, those that were refused or would have been; 1 is a streak of refusals",
      namesOf("user_id"),
      "user_id"),
  SOURCE_SILENT_SECONDS(
      "source_silent_seconds",
      Kind.LAST,
      Clock.WALL,
      "alarm-sources-silent",
      "Seconds since a live source's shipper was last heard of",
      namesOf("source"),
      ""),
  SOURCE_BEHIND_BYTES(
      "source_behind_bytes",
      Kind.LAST,
      Clock.WALL,
      "alarm-sources-behind",
      "Bytes of a live source that its shipper hasn't read yet",
      namesOf("source"),
      ""),
  LINES_DROPPED(
      "lines_dropped",
      Kind.COUNT,
      Clock.WALL,
      "alarm-sources-dropped",
      "Lines that the API's sink dropped, as lines that aren't ours say",
      namesOf("source"),
      ""),
  DEAD_LETTERS(
      "dead_letters",
      Kind.COUNT,
      Clock.WALL,
      "alarm-dead-letters",
      "Lines and records that couldn't be read",
      namesOf("stage", "reason"),
      ""),
  RECONCILE_DIFFERENCE(
      "reconcile_difference",
      Kind.LAST,
      Clock.WALL,
      "alarm-reconcile",
      "Acknowledged lines of a source that aren't stored after two minutes",
      namesOf("source"),
      ""),
  MINUTES_BEHIND_SECONDS(
      "minutes_behind_seconds",
      Kind.LAST,
      Clock.WALL,
      "",
      "Seconds from the end of the newest minute that may be judged to now: how blind the alarms are",
      namesOf(),
      ""),
  STORE_SILENT_SECONDS(
      "store_silent_seconds",
      Kind.LAST,
      Clock.WALL,
      "alarm-store-silent",
      "Seconds since anything new of the minutes or the books was stored: writer or streams stand still",
      namesOf(),
      "");

  /** How minutes add up to a window. */
  public enum Kind {
    /** Parts of wholes: no value where the whole is 0. */
    SHARE,
    /** A sum: 0 where nothing was counted. */
    COUNT,
    /** A sum by minutes. */
    PER_MINUTE,
    /** The greatest value. */
    MAX,
    /** The newest value. */
    LAST
  }

  /** When minutes may be judged. */
  public enum Clock {
    /** Event time: once every live source has passed the minute. */
    MINUTES("minutes"),
    /** Event time: once calls of the longest kind that overlap the minute have ended as well. */
    OCCUPANCY("occupancy"),
    /** The pipeline's own state, by wall clock. */
    WALL("wall");

    private final String word;

    Clock(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }
  }

  private final String word;
  private final Kind kind;
  private final Clock clock;
  private final String query;
  private final String meaning;

  @SuppressWarnings("ImmutableEnumChecker") // made unmodifiable above
  private final Set<String> labels;

  private final String mustName;

  Metric(
      String word,
      Kind kind,
      Clock clock,
      String query,
      String meaning,
      Set<String> labels,
      String mustName) {
    this.word = word;
    this.kind = kind;
    this.clock = clock;
    this.query = query;
    this.meaning = meaning;
    this.labels = labels;
    this.mustName = mustName;
  }

  private static Set<String> namesOf(String... names) {
    return java.util.Collections.unmodifiableSet(new TreeSet<>(List.of(names)));
  }

  /** Its name in expressions. */
  public String word() {
    return word;
  }

  /** How its minutes add up. */
  public Kind kind() {
    return kind;
  }

  /** When its minutes may be judged. */
  public Clock clock() {
    return clock;
  }

  /** What it measures. */
  public String meaning() {
    return meaning;
  }

  /** The labels it may be filtered by and split by. */
  public Set<String> labels() {
    return labels;
  }

  /** Whether history can be asked for it: what it was at a past minute. */
  public boolean hasHistory() {
    return this != RECONCILE_DIFFERENCE
        && this != MINUTES_BEHIND_SECONDS
        && this != STORE_SILENT_SECONDS;
  }

  /** The named query that reads it; empty when the evaluator knows it by itself. */
  String query() {
    return query;
  }

  /** A label without which its series would be mixed up; empty when there is none. */
  String mustName() {
    return mustName;
  }

  /** The values of a label where they are few and known; empty where new ones may come. */
  static Set<String> valuesOf(String label) {
    return switch (label) {
      case "lane" ->
          Arrays.stream(Lane.values())
              .map(Lane::word)
              .collect(Collectors.toCollection(TreeSet::new));
      case "single_row", "enforced" -> new TreeSet<>(Set.of("true", "false"));
      case "kind" ->
          new TreeSet<>(
              Set.of("lease_lost", "held_too_long", "log_dropped", "error", "type_error"));
      default -> Set.of();
    };
  }

  private static final Map<String, Metric> BY_WORD =
      Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Metric::word, m -> m));

  /** The metric of a name. */
  public static Optional<Metric> named(String word) {
    return Optional.ofNullable(BY_WORD.get(word));
  }

  /** All names, ascending. */
  static Set<String> names() {
    return new TreeSet<>(BY_WORD.keySet());
  }
}
