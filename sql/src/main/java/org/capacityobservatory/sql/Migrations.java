package org.capacityobservatory.sql;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
          "0007-kafka-topics.sql");

  private Migrations() {}

  /** The schema version that this program makes and knows. */
  public static int newestVersion() {
    return FILES.size();
  }

  /**
   * Brings the database to this program's version; does nothing where it is there already.
   *
   * @throws ClickHouseException when ClickHouse refuses, when an applied migration has changed
   *     since, or when the database was made by a newer version of this program
   */
  public static void apply(ClickHouseHttp clickHouse, ClickHouseConfig config) {
    clickHouse.executeOutsideDatabase("CREATE DATABASE IF NOT EXISTS " + config.database());
    clickHouse.execute(
        """
        CREATE TABLE IF NOT EXISTS schema_migrations
        (
            version    UInt32,
            name       String,
            checksum   String COMMENT 'SHA-256 of the file',
            applied_at DateTime64(3, 'UTC') DEFAULT now64(3)
        )
        ENGINE = ReplacingMergeTree(applied_at)
        ORDER BY version
        COMMENT 'Changes of the schema that have been applied. Read with FINAL.'
        """);
    Map<Integer, String> applied = appliedChecksums(clickHouse);
    refuseNewerDatabase(applied, config);
    for (String file : FILES) {
      int version = versionOf(file);
      String statement = read(file);
      String checksum = sha256(statement);
      String before = applied.get(version);
      if (before == null) {
        clickHouse.execute(repeatable(statement));
        clickHouse.execute(
            "INSERT INTO schema_migrations (version, name, checksum) VALUES (%d, '%s', '%s')"
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
  }

  private static String repeatable(String statement) {
    // A process that died between the statement and its row runs the statement again.
    return statement.replaceFirst("CREATE TABLE ", "CREATE TABLE IF NOT EXISTS ");
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
    if (newest > FILES.size()) {
      throw new ClickHouseException(
          "Database %s is at schema version %d and this program knows only %d: use a newer program"
              .formatted(config.database(), newest, FILES.size()));
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
