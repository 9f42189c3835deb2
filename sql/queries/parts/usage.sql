-- What usage_minute and usage_hour both have, for period.sql.
tier, algorithm_class, source_class, calls, held, lease_ms
