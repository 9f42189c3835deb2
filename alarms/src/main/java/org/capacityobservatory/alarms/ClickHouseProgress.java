package org.capacityobservatory.alarms;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.capacityobservatory.sql.NamedQuery;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * How far minutes may be judged, from what the Streams job says is complete and from the shippers'
 * heartbeats.
 *
 * <p>The Streams job lets wall clock complete the minutes of sources that say nothing. A source
 * whose shipper is silent as well may only be late, so its last heartbeat holds minutes back. One
 * that has been silent for {@link #FORGOTTEN} while others speak doesn't any more: there is an
 * alarm on it. When all are silent nothing moves: nobody vouches for anything.
 */
final class ClickHouseProgress implements Progress {
  static final Duration FORGOTTEN = Duration.ofMinutes(15);
  private static final Duration MARGIN = Duration.ofSeconds(5);

  /**
   * What the query says.
   *
   * @param complete end of what is complete over all partitions; null when one has nothing
   * @param occupancy likewise for occupancy
   * @param heartbeats of the sources that haven't ended
   */
  record Known(@Nullable Instant complete, @Nullable Instant occupancy, List<Instant> heartbeats) {}

  private final Jdbi queries;

  ClickHouseProgress(Jdbi queries) {
    this.queries = queries;
  }

  @Override
  public Map<Metric.Clock, Instant> until(Instant now) {
    return until(known(), now);
  }

  static Map<Metric.Clock, Instant> until(Known known, Instant now) {
    Map<Metric.Clock, Instant> until = new EnumMap<>(Metric.Clock.class);
    until.put(Metric.Clock.WALL, now.truncatedTo(ChronoUnit.MINUTES));
    Instant heard = heardUntil(known.heartbeats(), now);
    if (heard != null) {
      put(until, Metric.Clock.MINUTES, known.complete(), heard);
      put(until, Metric.Clock.OCCUPANCY, known.occupancy(), heard);
    }
    return until;
  }

  private static void put(
      Map<Metric.Clock, Instant> until,
      Metric.Clock clock,
      @Nullable Instant complete,
      Instant heard) {
    if (complete != null) {
      Instant bound = complete.isBefore(heard) ? complete : heard;
      until.put(clock, bound.truncatedTo(ChronoUnit.MINUTES));
    }
  }

  /** Null where no source has ever been heard of. */
  private static @Nullable Instant heardUntil(List<Instant> heartbeats, Instant now) {
    Instant newest = heartbeats.stream().max(Instant::compareTo).orElse(null);
    if (newest == null) {
      return null;
    }
    Instant forgotten = newest.minus(FORGOTTEN);
    Instant oldest =
        heartbeats.stream()
            .filter(h -> h.isAfter(forgotten))
            .min(Instant::compareTo)
            .orElse(newest);
    Instant heard = oldest.minus(MARGIN);
    return heard.isBefore(now) ? heard : now;
  }

  private Known known() {
    return queries.withHandle(
        handle -> {
          List<Known> rows =
              handle
                  .createQuery(NamedQuery.text("alarm-progress"))
                  .map(
                      (row, context) -> {
                        long complete = row.getLong("complete_ms");
                        Instant until = row.wasNull() ? null : Instant.ofEpochMilli(complete);
                        long occupancy = row.getLong("occupancy_complete_ms");
                        Instant lanes = row.wasNull() ? null : Instant.ofEpochMilli(occupancy);
                        Instant heard = Instant.ofEpochMilli(row.getLong("heartbeat_ms"));
                        boolean none = row.getLong("partitions") == 0;
                        return new Known(none ? null : until, none ? null : lanes, List.of(heard));
                      })
                  .list();
          List<Instant> heartbeats = new ArrayList<>();
          rows.forEach(row -> heartbeats.addAll(row.heartbeats()));
          return rows.isEmpty()
              ? new Known(null, null, List.of())
              : new Known(rows.get(0).complete(), rows.get(0).occupancy(), heartbeats);
        });
  }
}
