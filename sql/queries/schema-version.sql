-- The number of the newest migration applied to this database.
SELECT max(version) AS version
FROM schema_migrations FINAL
