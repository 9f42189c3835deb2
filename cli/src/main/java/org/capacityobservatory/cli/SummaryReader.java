package org.capacityobservatory.cli;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.capacityobservatory.cli.Summary.LineCount;
import org.capacityobservatory.cli.Summary.Percentiles;
import org.capacityobservatory.cli.Summary.TierCount;
import org.capacityobservatory.sql.NamedQuery;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Asks ClickHouse for the numbers of some sources. */
final class SummaryReader {
  private static final Set<String> REFUSALS = Set.of("refused", "shadow-refused");

  private final Jdbi clickHouse;
  private final List<String> sources;
  private final Map<String, String> unread;

  /**
   * A reader.
   *
   * @param sources names of sources, at least one
   * @param unread files that couldn't be read whole, and why
   */
  SummaryReader(Jdbi clickHouse, Collection<String> sources, Map<String, String> unread) {
    this.clickHouse = clickHouse;
    this.sources = List.copyOf(sources);
    this.unread = unread;
  }

  Summary read() {
    return clickHouse.withHandle(this::read);
  }

  private Summary read(Handle handle) {
    long calls = 0;
    Map<String, Long> decisions = new TreeMap<>();
    Map<String, Long> scopes = new TreeMap<>();
    Map<String, TierCount> tiers = new TreeMap<>();
    TierCount withoutTier = new TierCount(0, 0);
    for (Group group : groups(handle)) {
      calls += group.calls();
      decisions.merge(group.decision(), group.calls(), Long::sum);
      if (group.scope() != null) {
        scopes.merge(group.scope(), group.calls(), Long::sum);
      }
      boolean refused = REFUSALS.contains(group.decision());
      if (group.tier() == null) {
        withoutTier = withoutTier.plus(group.calls(), refused);
      } else {
        TierCount before = tiers.getOrDefault(group.tier(), new TierCount(0, 0));
        tiers.put(group.tier(), before.plus(group.calls(), refused));
      }
    }
    Latency latency = latency(handle);
    Lines lines = lines(handle);
    return new Summary(
        calls,
        decisions,
        scopes,
        tiers,
        withoutTier,
        latency.held(),
        latency.queue(),
        lines.count(),
        lines.configChanges(),
        lines.untimed(),
        lines.firstAt(),
        lines.lastAt(),
        unread);
  }

  private record Group(
      String decision, @Nullable String scope, @Nullable String tier, long calls) {}

  private List<Group> groups(Handle handle) {
    return handle
        .createQuery(NamedQuery.text("summary-groups"))
        .bindList("sources", sources)
        .map(
            (row, context) ->
                new Group(
                    row.getString("decision"),
                    row.getString("scope"),
                    row.getString("tier"),
                    row.getLong("calls")))
        .list();
  }

  private record Latency(@Nullable Percentiles held, @Nullable Percentiles queue) {}

  private Latency latency(Handle handle) {
    return handle
        .createQuery(NamedQuery.text("summary-latency"))
        .bindList("sources", sources)
        .map((row, context) -> new Latency(percentiles(row, "held"), percentiles(row, "queue")))
        .one();
  }

  private static @Nullable Percentiles percentiles(ResultSet row, String measure)
      throws SQLException {
    long n = row.getLong(measure + "_n");
    return n == 0
        ? null
        : new Percentiles(
            n,
            row.getLong(measure + "_p50"),
            row.getLong(measure + "_p95"),
            row.getLong(measure + "_p99"));
  }

  private record Lines(
      LineCount count,
      long configChanges,
      long untimed,
      @Nullable Instant firstAt,
      @Nullable Instant lastAt) {}

  private Lines lines(Handle handle) {
    return handle
        .createQuery(NamedQuery.text("summary-lines"))
        .bindList("sources", sources)
        .map(
            (row, context) ->
                new Lines(
                    new LineCount(
                        row.getLong("lines_read"),
                        row.getLong("lines_not_ours"),
                        row.getLong("lines_dead"),
                        row.getLong("lines_dropped_at_source")),
                    row.getLong("config_changes"),
                    row.getLong("untimed"),
                    instant(row, "first_at"),
                    instant(row, "last_at")))
        .one();
  }

  private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
    long epochMillis = row.getLong(column);
    return row.wasNull() ? null : Instant.ofEpochMilli(epochMillis);
  }
}
