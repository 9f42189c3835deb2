package org.capacityobservatory.sql;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The numbered changes of the schema, from {@code sql/migrations}; each is one statement.
 *
 * <p>Applied ones are kept with a checksum in {@code schema_migrations}. ClickHouse has no
 * transactions over DDL: a migration is written so that it may be repeated, and its row is written
 * after it.
 */
public final class Migrations {
  private static final Logger log = LoggerFactory.getLogger(Migrations.class);

  /** The files, in order; a test holds this list against the folder. */
  static final List<String> FILES =
      List.of(
          "0001-calls.sql",
          "0002-config-changes.sql",
          "0003-dead-letters.sql",
          "0004-decisions-minute.sql",
          "0005-latency-minute.sql",
          "0006-pipeline-books.sql",
          "0007-kafka-topics.sql",
          "0008-decisions-minute-more.sql",
          "0009-lanes-minute.sql",
          "0010-usage-minute.sql",
          "0011-events-minute.sql",
          "0012-minutes-state.sql",
          "0013-calls-more.sql",
          "0014-config-changes-more.sql",
          "0015-alarm-transitions.sql",
          "0016-alarm-silences.sql",
          "0017-saved-views.sql",
          "0018-calibration-jobs.sql",
          "0019-verifications.sql",
          "0020-decisions-hour.sql",
          "0021-latency-hour.sql",
          "0022-lanes-hour.sql",
          "0023-hours-state.sql",
          "0024-calls-found-rarely.sql",
          "0025-forecasts.sql",
          "0026-calls-projections.sql",
          "0027-calls-by-source.sql",
          "0028-latency-total-hour.sql",
          "0029-hours-state-more.sql",
          "0030-books-projections.sql",
          "0031-books-newest.sql",
          "0032-usage-hour.sql",
          "0033-events-hour.sql");

  private static final String BOOKKEEPING =
      """
      CREATE TABLE schema_migrations
      (
          version    UInt32,
          name       String,
          checksum   String COMMENT 'SHA-256 of the file',
          applied_at DateTime64(3, 'UTC') DEFAULT now64(3)
      )
      ENGINE = ReplacingMergeTree(applied_at)
      ORDER BY version
      SETTINGS non_replicated_deduplication_window = 10000
      COMMENT 'Changes of the schema that have been applied. Read with FINAL.'
      """;

  private Migrations() {}

  /** The schema version that this program makes and knows. */
  public static int newestVersion() {
    return versionOf(FILES.get(FILES.size() - 1));
  }

  /**
   * Brings a database on one node to this program's version, with the usual retention; does nothing
   * where it is there already.
   *
   * @throws ClickHouseException when ClickHouse refuses, when an applied migration has changed
   *     since, or when the database was made by a newer version of this program
   */
  public static void apply(ClickHouseHttp clickHouse, ClickHouseConfig config) {
    apply(clickHouse, config, SchemaLayout.oneNode(), Retention.USUAL);
  }

  /**
   * Brings the database to this program's version, in a layout and with a retention.
   *
   * @throws ClickHouseException as above
   */
  public static void apply(
      ClickHouseHttp clickHouse,
      ClickHouseConfig config,
      SchemaLayout layout,
      Retention retention) {
    clickHouse.executeOutsideDatabase(layout.createDatabase(config.database()));
    layout.statements(BOOKKEEPING, config.database()).forEach(clickHouse::execute);
    Map<Integer, String> applied = appliedChecksums(clickHouse);
    refuseNewerDatabase(applied, config);
    for (String file : FILES) {
      int version = versionOf(file);
      String statement = read(file);
      String checksum = sha256(statement);
      String before = applied.get(version);
      if (before == null) {
        // A process that died between the statements and their row runs them again.
        layout.statements(statement, config.database()).forEach(clickHouse::execute);
        clickHouse.execute(
            "INSERT INTO schema_migrations (version, name, checksum) SETTINGS distributed_foreground_insert = 1 VALUES (%d, '%s', '%s')"
                .formatted(version, file, checksum));
        log.info("Applied migration {}", file);
      } else if (!before.equals(checksum)) {
        throw new ClickHouseException(
            "Migration "
                + file
                + " has changed since it was applied to database "
                + config.database()
                + ": applied migrations are never edited; add a new one");
      }
    }
    retention.apply(clickHouse, layout);
  }

  /** Every statement that {@link #apply} would run on an empty server, in order, to be read. */
  public static List<String> statements(String database, SchemaLayout layout) {
    return Stream.concat(
            Stream.of(layout.createDatabase(database)),
            Stream.concat(Stream.of(BOOKKEEPING), FILES.stream().map(Migrations::read))
                .flatMap(migration -> layout.statements(migration, database).stream()))
        .toList();
  }

  private static Map<Integer, String> appliedChecksums(ClickHouseHttp clickHouse) {
    Map<Integer, String> applied = new TreeMap<>();
    clickHouse
        .execute("SELECT version, checksum FROM schema_migrations FINAL FORMAT TabSeparated")
        .lines()
        .map(line -> line.split("\t", -1))
        .forEach(fields -> applied.put(Integer.valueOf(fields[0]), fields[1]));
    return applied;
  }

  private static void refuseNewerDatabase(Map<Integer, String> applied, ClickHouseConfig config) {
    int newest = applied.keySet().stream().mapToInt(Integer::intValue).max().orElse(0);
    if (newest > newestVersion()) {
      throw new ClickHouseException(
          "Database %s is at schema version %d and this program knows only %d: use a newer program"
              .formatted(config.database(), newest, newestVersion()));
    }
  }

  static int versionOf(String file) {
    return Integer.parseInt(file.substring(0, 4));
  }

  static String read(String file) {
    return Resources.text("migrations/" + file);
  }

  private static String sha256(String text) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256", e);
    }
  }
}
