-- Rare things per minute; partials and revisions as in decisions_minute.
CREATE TABLE events_minute
(
    minute          DateTime('UTC') COMMENT 'The minute''s start, by the line''s time',
    lines_partition UInt32,
    partial         UInt64,
    kind            LowCardinality(String) COMMENT 'full_set, error, lease_lost, held_too_long, log_dropped, type_error',
    value           LowCardinality(String) COMMENT 'full_set: lanes in the limiter''s order with + between; error: its kind; type_error: the key; else empty',
    n               UInt64 COMMENT 'Calls; for log_dropped lines',
    revision        UInt64,

    kafka_topic     LowCardinality(String),
    kafka_partition UInt32,
    kafka_offset    UInt64,
    stored_at       DateTime('UTC') DEFAULT now() COMMENT 'Retention counts from here, so that a backfill lives as long'
)
ENGINE = ReplacingMergeTree(revision)
PARTITION BY toYYYYMM(minute)
ORDER BY (minute, kind, value, lines_partition, partial)
TTL stored_at + INTERVAL 2 YEAR
SETTINGS non_replicated_deduplication_window = 10000
COMMENT 'Rare things per minute. Read with FINAL, then sum.';
