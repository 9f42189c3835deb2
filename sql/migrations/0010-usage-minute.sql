-- Use of the limiter's room per minute in which calls ended; partials and revisions as in
-- decisions_minute. Lease-seconds = lease_ms / 1000; calls - held are those of unknown time, not 0.
CREATE TABLE usage_minute
(
    minute          DateTime('UTC') COMMENT 'The minute''s start, by ended_at',
    lines_partition UInt32,
    partial         UInt64,
    tier            LowCardinality(Nullable(String)),
    algorithm_class LowCardinality(Nullable(String)) COMMENT 'Configured class of algorithm_id; other: not in any; NULL: the line had none',
    source_class    LowCardinality(Nullable(String)) COMMENT 'Configured class of request_source, likewise',
    calls           UInt64,
    held            UInt64 COMMENT 'Calls with held_ms',
    lease_ms        UInt64 COMMENT 'Sum of their held_ms',
    revision        UInt64,

    kafka_topic     LowCardinality(String),
    kafka_partition UInt32,
    kafka_offset    UInt64,
    stored_at       DateTime('UTC') DEFAULT now() COMMENT 'Retention counts from here, so that a backfill lives as long'
)
ENGINE = ReplacingMergeTree(revision)
PARTITION BY toYYYYMM(minute)
ORDER BY (minute, tier, algorithm_class, source_class, lines_partition, partial)
TTL stored_at + INTERVAL 2 YEAR
SETTINGS non_replicated_deduplication_window = 10000, allow_nullable_key = 1
COMMENT 'Lease time per minute. Read with FINAL, then sum.';
