package org.capacityobservatory.cli;

import java.util.concurrent.Callable;
import org.capacityobservatory.sql.ClickHouseConfig;
import org.capacityobservatory.sql.Migrations;
import org.capacityobservatory.sql.SchemaLayout;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "schema",
    description = "Prints the statements that make the tables, for one node or for a cluster.",
    mixinStandardHelpOptions = true)
final class SchemaCommand implements Callable<Integer> {
  @Option(
      names = "--cluster",
      paramLabel = "NAME",
      description = "For this ClickHouse cluster (default: one node).")
  private @Nullable String cluster;

  @Option(
      names = "--database",
      paramLabel = "NAME",
      defaultValue = ClickHouseConfig.DEFAULT_DATABASE,
      description = "Database of the tables (default: ${DEFAULT-VALUE}).")
  private String database;

  @Option(
      names = "--viewer-role",
      description =
          "Print instead what makes the role capacity_viewer, which sees no personal data: for"
              + " people and tools that read ClickHouse themselves.")
  private boolean viewerRole;

  @Override
  public Integer call() {
    try {
      SchemaLayout layout =
          cluster == null ? SchemaLayout.oneNode() : SchemaLayout.cluster(cluster);
      (viewerRole ? layout.viewerRole(database) : Migrations.statements(database, layout))
          .forEach(statement -> System.out.println(statement + ";\n"));
      return 0;
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }
}
