package org.capacityobservatory.api;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.capacityobservatory.metrics.MetricsConfig;
import org.capacityobservatory.sql.Verification;
import org.jspecify.annotations.Nullable;

/** Recounts the minutes of a range from its calls, and the books of every source. */
final class VerificationResource {
  static final List<String> PARAMETERS = List.of("from", "to");

  private static final Duration LONGEST = Duration.ofDays(31);

  /** How long calls are kept unless the writer was told otherwise. */
  private static final Duration KEPT = Duration.ofDays(90);

  private final Store store;
  private final InstantSource clock;

  VerificationResource(Store store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  /** The answer; its parts are as the API's description has them. */
  record Answer(
      @Nullable Instant from,
      @Nullable Instant to,
      Instant asOf,
      boolean agrees,
      long calls,
      long hiddenDoubles,
      long inFlight,
      long differingCells,
      List<String> differences) {}

  Answer answer(Ask ask) {
    Parameters parameters = ask.parameters();
    Instant now = clock.instant();
    TimeRange range = TimeRange.of(parameters, now);
    parameters.check();
    Period asked = range.minutes(DataRange.read(store), now);
    Period period = asked == null ? new Period(now, now) : asked;
    if (period.length().compareTo(LONGEST) > 0) {
      parameters.error(
          "from", "the range is longer than 31 days", "ask for less: each call is counted anew");
      parameters.check();
    }
    Map<String, ?> bound =
        Map.of(
            "from_ms", period.fromMs(),
            "to_ms", period.toMs(),
            "row_limit", Verification.CELLS_SHOWN,
            "near_limit_share", MetricsConfig.DEFAULT.nearLimitShare());
    Verification.QUERIES.forEach(query -> Overheard.tell(query, bound, Map.of()));
    Verification found =
        store.using(
            "verification",
            jdbi ->
                Verification.of(
                    jdbi,
                    period.from(),
                    period.to(),
                    now,
                    KEPT,
                    MetricsConfig.DEFAULT.nearLimitShare()));
    return new Answer(
        asked == null ? null : period.from(),
        asked == null ? null : period.to(),
        now,
        found.agrees(),
        found.calls(),
        found.hiddenDoubles(),
        found.inFlight(),
        found.differingCells(),
        found.differences());
  }
}
