package org.capacityobservatory.sql;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long rows are kept, counted from when they were read or stored, so that a backfill of old
 * lines lives as long as new ones.
 *
 * @param rowDays days for calls and dead letters, 1 to 36,500
 * @param minuteDays days for everything per minute, 1 to 36,500
 */
public record Retention(int rowDays, int minuteDays) {
  /** 90 days of rows, and 2 years of minutes. */
  public static final Retention USUAL = new Retention(90, 730);

  private static final Logger log = LoggerFactory.getLogger(Retention.class);
  private static final int LONGEST_DAYS = 36_500;

  private static final Pattern TTL =
      Pattern.compile(" TTL (?<from>.+?) \\+ toInterval(?<unit>Day|Month|Year)\\((?<n>\\d+)\\)");

  /**
   * Checks both.
   *
   * @throws IllegalArgumentException when one is outside its range
   */
  public Retention {
    if (rowDays < 1 || rowDays > LONGEST_DAYS || minuteDays < 1 || minuteDays > LONGEST_DAYS) {
      throw new IllegalArgumentException(
          "Rows are kept %d days and minutes %d: 1 to %d"
              .formatted(rowDays, minuteDays, LONGEST_DAYS));
    }
  }

  /** Sets the retention of the tables where it isn't so already. */
  void apply(ClickHouseHttp clickHouse, SchemaLayout layout) {
    Map<String, String> engines = new LinkedHashMap<>();
    clickHouse
        .execute(
            "SELECT name, replaceAll(engine_full, '\\n', ' ') FROM system.tables"
                + " WHERE database = currentDatabase() FORMAT TabSeparatedRaw")
        .lines()
        .map(line -> line.split("\t", 2))
        .forEach(row -> engines.put(row[0], row[1]));
    engines.forEach(
        (table, engine) -> {
          Matcher ttl = TTL.matcher(engine);
          int wanted = days(table);
          if (wanted > 0 && ttl.find() && days(ttl) != wanted) {
            clickHouse.execute(
                "ALTER TABLE %s%s MODIFY TTL %s + toIntervalDay(%d)"
                    .formatted(table, layout.onCluster(), ttl.group("from"), wanted));
            log.info("Rows of {} are kept {} days from now on", table, wanted);
          }
        });
  }

  private static int days(Matcher ttl) {
    int n = Integer.parseInt(ttl.group("n"));
    return switch (ttl.group("unit").toLowerCase(Locale.ROOT)) {
      case "year" -> 365 * n;
      case "month" -> 30 * n;
      default -> n;
    };
  }

  private int days(String table) {
    String name = table.replaceFirst("_local$", "");
    if (name.equals("calls") || name.equals("dead_letters")) {
      return rowDays;
    }
    return name.endsWith("_minute") || name.endsWith("_hour") ? minuteDays : 0;
  }
}
