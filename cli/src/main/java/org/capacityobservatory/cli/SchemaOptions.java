package org.capacityobservatory.cli;

import org.capacityobservatory.sql.Retention;
import org.capacityobservatory.sql.SchemaLayout;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How the tables are laid out, and how long they keep rows. */
final class SchemaOptions {
  @Option(
      names = "--cluster",
      paramLabel = "NAME",
      defaultValue = "${env:CAPACITY_CLICKHOUSE_CLUSTER}",
      description =
          "ClickHouse cluster to spread replicated tables over; without it, all is on one node"
              + " (env CAPACITY_CLICKHOUSE_CLUSTER).")
  private @Nullable String cluster;

  @Option(
      names = "--keep-calls-days",
      paramLabel = "DAYS",
      defaultValue = "90",
      description = "How long calls and dead letters are kept (default: ${DEFAULT-VALUE}).")
  private int keepCallsDays;

  @Option(
      names = "--keep-minutes-days",
      paramLabel = "DAYS",
      defaultValue = "730",
      description = "How long the numbers per minute are kept (default: ${DEFAULT-VALUE}).")
  private int keepMinutesDays;

  SchemaLayout layout() {
    return cluster == null ? SchemaLayout.oneNode() : SchemaLayout.cluster(cluster);
  }

  Retention retention() {
    return new Retention(keepCallsDays, keepMinutesDays);
  }
}
