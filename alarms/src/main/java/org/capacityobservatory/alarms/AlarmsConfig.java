package org.capacityobservatory.alarms;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.capacityobservatory.sql.ClickHouseConfig;

/**
 * What the alarms' process is made of.
 *
 * @param rules what is judged
 * @param evaluator how
 * @param clickHouse where minutes are read and the history is kept; the login may write
 * @param kafka settings of Kafka's clients, {@code bootstrap.servers} among them
 */
public record AlarmsConfig(
    List<AlarmRule> rules,
    EvaluatorConfig evaluator,
    ClickHouseConfig clickHouse,
    Map<String, String> kafka) {
  /** Keeps its own copies. */
  public AlarmsConfig {
    rules = List.copyOf(rules);
    kafka = Collections.unmodifiableMap(new TreeMap<>(kafka));
    if (!kafka.containsKey("bootstrap.servers")) {
      throw new IllegalArgumentException("Alarms: Kafka's bootstrap.servers are missing");
    }
  }
}
