package org.capacityobservatory.sql;

import com.clickhouse.jdbc.DataSourceImpl;
import java.time.Duration;
import java.util.Properties;
import org.jdbi.v3.core.Jdbi;

/** Queries through the official JDBC driver, with values bound by name. */
public final class ClickHouse {
  private ClickHouse() {}

  /**
   * Opens access for queries; connects only when the first one runs.
   *
   * @param config where and as whom
   * @param settings ClickHouse settings for every query, for example {@code max_execution_time}
   * @return a Jdbi; safe for use by several threads
   */
  public static Jdbi queries(ClickHouseConfig config, Properties settings) {
    return queries(config, settings, Duration.ZERO);
  }

  /**
   * Opens access for queries; connects only when the first one runs.
   *
   * @param config where and as whom
   * @param settings ClickHouse settings for every query, for example {@code max_execution_time}
   * @param silence how long a server may say nothing before a query fails; zero waits for ever
   * @return a Jdbi; safe for use by several threads
   */
  public static Jdbi queries(ClickHouseConfig config, Properties settings, Duration silence) {
    Properties properties = new Properties();
    properties.setProperty("user", config.user());
    properties.setProperty("password", config.password());
    // LZ4 frames buy nothing on loopback, and the embedded engine's endpoint doesn't speak them.
    properties.setProperty("compress", "false");
    // A refusal is an answer: asking three times more only delays it, with a trace in the log each.
    properties.setProperty("retry", "0");
    if (!silence.isZero()) {
      properties.setProperty("socket_timeout", Long.toString(silence.toMillis()));
      properties.setProperty("connection_timeout", Long.toString(silence.toMillis()));
    }
    settings
        .stringPropertyNames()
        .forEach(
            name ->
                properties.setProperty("clickhouse_setting_" + name, settings.getProperty(name)));
    String address =
        "jdbc:clickhouse:%s/%s"
            .formatted(config.url().toString().replaceAll("/+$", ""), config.database());
    return Jdbi.create(new DataSourceImpl(address, properties));
  }
}
