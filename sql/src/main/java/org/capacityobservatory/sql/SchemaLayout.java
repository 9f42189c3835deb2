package org.capacityobservatory.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where the tables live: on one node, as the migrations are written, or spread over a cluster.
 *
 * <p>On a cluster each table {@code t} becomes replicated tables {@code t_local} and a {@code t}
 * over them, which is read and written. Rows that may replace each other have the same sorting key,
 * so the shard is taken from it: doubles and revisions always meet on one shard.
 */
public final class SchemaLayout {
  private static final Pattern CREATE =
      Pattern.compile(
          "CREATE TABLE (?:IF NOT EXISTS )?(?<table>\\w+)\\s*(?<columns>\\(.*?\\n\\))\\s*"
              + "ENGINE = (?<engine>\\w*MergeTree)(?:\\((?<arguments>[^)]*)\\))?(?<rest>.*)",
          Pattern.DOTALL);
  private static final Pattern ALTER =
      Pattern.compile("ALTER TABLE (?<table>\\w+)\\s+(?<actions>.*)", Pattern.DOTALL);
  private static final Pattern SORTING_KEY = Pattern.compile("ORDER BY (?<key>\\([^)]*\\)|\\w+)");
  private static final Pattern COMMENT = Pattern.compile("COMMENT '(?:[^']|'')*'\\s*;?\\s*$");
  private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]{0,63}");

  /** Each action of an ALTER stands on a line of its own. */
  private static final Pattern ACTION_END = Pattern.compile(",\\s*\\n\\s*(?=ADD |MODIFY |DROP )");

  /** What a viewer may not see, as in the API: persons, and text that nobody has looked at. */
  private static final Map<String, String> PERSONAL =
      new TreeMap<>(
          Map.of(
              "calls", "user_id, unknown",
              "config_changes", "changed_by, note, unknown",
              "dead_letters", "raw_base64"));

  private final String cluster;

  private SchemaLayout(String cluster) {
    this.cluster = cluster;
  }

  /** All tables on one node. */
  public static SchemaLayout oneNode() {
    return new SchemaLayout("");
  }

  /**
   * Replicated tables on every shard of a cluster that the server knows by this name, whose nodes
   * have the macros {@code shard} and {@code replica}.
   *
   * @throws IllegalArgumentException when it can't be a cluster's name
   */
  public static SchemaLayout cluster(String name) {
    if (!IDENTIFIER.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "ClickHouse cluster '" + name + "': letters, digits, _ and - only");
    }
    return new SchemaLayout(name);
  }

  /** What makes the database. */
  String createDatabase(String database) {
    return "CREATE DATABASE IF NOT EXISTS " + database + onCluster();
  }

  /**
   * A migration's statements for this layout, which may be repeated.
   *
   * @throws IllegalArgumentException when the statement has a form that isn't known here
   */
  List<String> statements(String migration, String database) {
    String statement = withoutComments(migration);
    Matcher create = CREATE.matcher(statement);
    if (create.matches()) {
      return cluster.isEmpty()
          ? List.of(statement.replaceFirst("CREATE TABLE (?!IF)", "CREATE TABLE IF NOT EXISTS "))
          : List.of(local(create, database), distributed(create, database));
    }
    Matcher alter = ALTER.matcher(statement);
    if (alter.matches()) {
      return cluster.isEmpty() ? List.of(statement) : altered(alter);
    }
    throw new IllegalArgumentException("Neither CREATE TABLE nor ALTER TABLE: " + statement);
  }

  /**
   * A statement that removes rows of a table on all nodes and returns when they are gone.
   *
   * @param table a table of a migration; a name of this program's own, never input
   * @param condition which rows; likewise
   */
  public String delete(String table, String condition) {
    return "DELETE FROM %s%s WHERE %s".formatted(holding(table), onCluster(), condition);
  }

  /**
   * What makes a role for people and tools that read ClickHouse themselves, for example Grafana:
   * all tables, without the columns that hold personal data.
   */
  public List<String> viewerRole(String database) {
    List<String> statements = new ArrayList<>();
    statements.add("CREATE ROLE IF NOT EXISTS capacity_viewer" + onCluster());
    statements.add("GRANT%s SELECT ON %s.* TO capacity_viewer".formatted(onCluster(), database));
    PERSONAL.forEach(
        (table, columns) ->
            Stream.of(table, holding(table))
                .distinct()
                .forEach(
                    held ->
                        statements.add(
                            "REVOKE%s SELECT(%s) ON %s.%s FROM capacity_viewer"
                                .formatted(onCluster(), columns, database, held))));
    return List.copyOf(statements);
  }

  private static String withoutComments(String text) {
    return text.lines()
        .filter(line -> !line.startsWith("--"))
        .collect(Collectors.joining("\n"))
        .strip()
        .replaceFirst(";$", "");
  }

  private String local(Matcher create, String database) {
    String table = create.group("table");
    String arguments = create.group("arguments");
    return "CREATE TABLE IF NOT EXISTS %s_local%s\n%s\nENGINE = Replicated%s('/clickhouse/tables/{shard}/%s/%s_local', '{replica}'%s)%s"
        .formatted(
            table,
            onCluster(),
            create.group("columns"),
            create.group("engine"),
            database,
            table,
            arguments == null || arguments.isBlank() ? "" : ", " + arguments,
            create
                .group("rest")
                .replace("non_replicated_deduplication_window", "replicated_deduplication_window"));
  }

  private String distributed(Matcher create, String database) {
    String table = create.group("table");
    Matcher comment = COMMENT.matcher(create.group("rest"));
    return "CREATE TABLE IF NOT EXISTS %s%s AS %s_local\nENGINE = Distributed('%s', '%s', '%s_local', cityHash64(toString(tuple(%s))))%s"
        .formatted(
            table,
            onCluster(),
            table,
            cluster,
            database,
            table,
            sortingKey(create.group("rest")),
            comment.find() ? "\n" + comment.group().strip() : "");
  }

  private static String sortingKey(String rest) {
    Matcher key = SORTING_KEY.matcher(rest);
    if (!key.find()) {
      throw new IllegalArgumentException("A table without ORDER BY");
    }
    return key.group("key").replaceAll("^\\(|\\)$", "");
  }

  /** The table over the shards has columns and no keys. */
  private List<String> altered(Matcher alter) {
    String table = alter.group("table");
    List<String> actions = ACTION_END.splitAsStream(alter.group("actions")).toList();
    String local = alterTable(table + "_local", actions.stream());
    List<String> columns = actions.stream().filter(action -> action.contains("COLUMN")).toList();
    return columns.isEmpty() ? List.of(local) : List.of(local, alterTable(table, columns.stream()));
  }

  private String alterTable(String table, Stream<String> actions) {
    return "ALTER TABLE %s%s\n    %s"
        .formatted(table, onCluster(), actions.collect(Collectors.joining(",\n    ")));
  }

  /** The tables that hold the rows of a table: what retention is set on. */
  String holding(String table) {
    return cluster.isEmpty() ? table : table + "_local";
  }

  String onCluster() {
    return cluster.isEmpty() ? "" : " ON CLUSTER '" + cluster + "'";
  }
}
