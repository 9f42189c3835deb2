package org.capacityobservatory.api;

import java.util.List;
import java.util.Map;
import org.capacityobservatory.sql.Migrations;

/** Whether this process runs, and whether it can answer. */
final class Health {
  private final Store store;

  Health(Store store) {
    this.store = store;
  }

  /** An answer of one word. */
  record Status(String status) {}

  /** Ready: ClickHouse answers and holds the schema this program knows. */
  record Ready(String status, long schemaVersion) {}

  Status alive() {
    return new Status("ok");
  }

  /**
   * Tells that the API can answer.
   *
   * @throws ProblemException when it can't, saying why
   */
  Ready ready() {
    List<Long> found =
        store.list("schema-version", Map.of(), (row, context) -> row.getLong("version"));
    long version = found.get(0);
    if (version != Migrations.newestVersion()) {
      String which =
          version < Migrations.newestVersion()
              ? "older: start the writer of this version, which brings it up to date"
              : "newer: use a newer program";
      throw new ProblemException(
          Problem.of(
              "schema",
              503,
              "The schema is not this program's",
              "The database is at schema version "
                  + version
                  + " and this program knows "
                  + Migrations.newestVersion()
                  + "; it is "
                  + which));
    }
    return new Ready("ready", version);
  }
}
