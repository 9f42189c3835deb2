package org.capacityobservatory.alarms;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.capacityobservatory.sql.NamedQuery;
import org.jdbi.v3.core.Jdbi;

/** Minutes as ClickHouse has them; safe for use by several threads. */
public final class ClickHouseFacts implements Facts {
  /** A count of all rows is dear: that metric is read once in ten minutes. */
  private static final Duration DEAR = Duration.ofMinutes(10);

  private final Jdbi queries;

  /** Facts of one database. */
  public ClickHouseFacts(Jdbi queries) {
    this.queries = queries;
  }

  @Override
  public List<Fact> between(Metric metric, Instant from, Instant to) {
    if (metric.query().isEmpty() || (metric == Metric.RECONCILE_DIFFERENCE && !isDue(from, to))) {
      return List.of();
    }
    return queries.withHandle(
        handle ->
            handle
                .createQuery(NamedQuery.text(metric.query()))
                .bind("from_ms", from.toEpochMilli())
                .bind("to_ms", to.toEpochMilli())
                .map(
                    (row, context) -> {
                      Map<String, String> labels = new TreeMap<>();
                      for (String label : metric.labels()) {
                        labels.put(label, row.getString("label_" + label));
                      }
                      return new Fact(
                          Instant.ofEpochMilli(row.getLong("minute_ms")),
                          Labels.of(labels),
                          row.getDouble("part"),
                          row.getDouble("whole"));
                    })
                .list());
  }

  private static boolean isDue(Instant from, Instant to) {
    return from.getEpochSecond() / DEAR.toSeconds() != to.getEpochSecond() / DEAR.toSeconds();
  }
}
