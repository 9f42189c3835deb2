-- Calls per hour: the minutes of closed hours added up, so that a quarter of a year is read at once.
-- An hour is made anew as a whole when its minutes change; the newest revision of a row counts.
CREATE TABLE decisions_hour
(
    hour         DateTime('UTC') COMMENT 'The hour''s start, by ended_at',
    decision     LowCardinality(String),
    mode         LowCardinality(Nullable(String)),
    enforced     Nullable(Bool),
    endpoint     LowCardinality(Nullable(String)),
    single_row   Nullable(Bool),
    tier         LowCardinality(Nullable(String)),
    scope        LowCardinality(Nullable(String)),
    source_class LowCardinality(Nullable(String)),
    calls        UInt64,
    revision     UInt64 COMMENT 'ms since the epoch when it was made',
    stored_at    DateTime('UTC') DEFAULT now()
)
ENGINE = ReplacingMergeTree(revision)
PARTITION BY toYYYYMM(hour)
ORDER BY (hour, decision, mode, enforced, endpoint, single_row, tier, scope, source_class)
TTL stored_at + INTERVAL 2 YEAR
SETTINGS non_replicated_deduplication_window = 10000, allow_nullable_key = 1
COMMENT 'Calls per hour by decision, from decisions_minute. Read with FINAL.';
