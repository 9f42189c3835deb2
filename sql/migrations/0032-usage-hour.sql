-- Use of the limiter's room per hour, as decisions_hour.
CREATE TABLE usage_hour
(
    hour            DateTime('UTC') COMMENT 'The hour''s start, by ended_at',
    tier            LowCardinality(Nullable(String)),
    algorithm_class LowCardinality(Nullable(String)),
    source_class    LowCardinality(Nullable(String)),
    calls           UInt64,
    held            UInt64,
    lease_ms        UInt64,
    revision        UInt64 COMMENT 'ms since the epoch when it was made',
    stored_at       DateTime('UTC') DEFAULT now()
)
ENGINE = ReplacingMergeTree(revision)
PARTITION BY toYYYYMM(hour)
ORDER BY (hour, tier, algorithm_class, source_class)
TTL stored_at + INTERVAL 2 YEAR
SETTINGS non_replicated_deduplication_window = 10000, allow_nullable_key = 1
COMMENT 'Lease time per hour, from usage_minute. Read with FINAL.';
