package org.capacityobservatory.localstack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The engine's configuration files. They are written at every start, and take rights away from
 * every query, whoever sends it: no access to files, other hosts or programs, no dictionaries, no
 * shutdown. What is granted is what keeping data in MergeTree tables needs.
 */
final class EngineFiles {
  private static final String GRANTS =
      "SHOW, SELECT, INSERT, ALTER, DROP, UNDROP TABLE, TRUNCATE, OPTIMIZE, KILL QUERY,"
          + " CREATE DATABASE, CREATE TABLE, CREATE VIEW, CREATE TEMPORARY TABLE,"
          + " SYSTEM MERGES, SYSTEM TTL MERGES, SYSTEM DROP CACHE, SYSTEM FLUSH";

  /** The table engines that keep their data in this engine's own directory, or nowhere. */
  private static final List<String> TABLE_ENGINES =
      List.of(
          "MergeTree",
          "ReplacingMergeTree",
          "SummingMergeTree",
          "AggregatingMergeTree",
          "CollapsingMergeTree",
          "VersionedCollapsingMergeTree",
          "Memory",
          "Null",
          "Log",
          "TinyLog",
          "StripeLog",
          "Set",
          "Join",
          "Buffer",
          "Merge");

  /** Settings whose values are paths or addresses that a query could read or write through. */
  private static final List<String> FIXED_SETTINGS =
      List.of(
          "format_schema",
          "format_schema_source",
          "output_format_schema",
          "format_template_row",
          "format_template_resultset",
          "format_avro_schema_registry_url");

  private EngineFiles() {}

  /** Writes the files, and gives the one that the engine is pointed at. */
  static Path write(Path directory, int memoryMegabytes) throws IOException {
    Files.createDirectories(directory);
    Path users = directory.resolve("users.xml");
    Files.writeString(users, usersXml());
    Path config = directory.resolve("config.xml");
    Files.writeString(config, configXml(users, memoryMegabytes));
    return config;
  }

  private static String configXml(Path users, int memoryMegabytes) {
    return """
    <clickhouse>
      <users_config>%s</users_config>
      <access_control_improvements>
        <table_engines_require_grant>true</table_engines_require_grant>
      </access_control_improvements>
      <max_server_memory_usage>%d</max_server_memory_usage>
      <mark_cache_size>%d</mark_cache_size>
    </clickhouse>
    """
        .formatted(escape(users.toString()), (long) memoryMegabytes << 20, 64L << 20);
  }

  private static String usersXml() {
    StringBuilder constraints = new StringBuilder();
    for (String setting : FIXED_SETTINGS) {
      constraints.append("<").append(setting).append("><const/></").append(setting).append(">");
    }
    StringBuilder grants = new StringBuilder("<query>GRANT " + GRANTS + " ON *.*</query>");
    for (String engine : TABLE_ENGINES) {
      grants.append("<query>GRANT TABLE ENGINE ON ").append(engine).append("</query>");
    }
    return """
    <clickhouse>
      <profiles><default><constraints>%s</constraints></default></profiles>
      <quotas><default/></quotas>
      <users>
        <default>
          <password></password>
          <networks><ip>::/0</ip></networks>
          <profile>default</profile>
          <quota>default</quota>
          <grants>%s</grants>
        </default>
      </users>
    </clickhouse>
    """
        .formatted(constraints, grants);
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
