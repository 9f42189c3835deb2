-- Histograms of held_ms and queue_ms per minute; partials and revisions as in decisions_minute.
-- Buckets: values below 128 stand for themselves, then 64 buckets per power of two.
CREATE TABLE latency_minute
(
    minute          DateTime('UTC') COMMENT 'The minute''s start, by ended_at',
    lines_partition UInt32,
    partial         UInt64,
    measure         LowCardinality(String) COMMENT 'held_ms or queue_ms',
    endpoint        LowCardinality(Nullable(String)),
    single_row      Nullable(Bool),
    tier            LowCardinality(Nullable(String)),
    present         UInt64 COMMENT 'Calls that had a value',
    missing         UInt64 COMMENT 'Calls that had none',
    sum             UInt64 COMMENT 'ms, over the calls that had a value',
    bucket          Array(UInt16) COMMENT 'Ascending',
    n               Array(UInt64) COMMENT 'Calls in each bucket',
    revision        UInt64,

    kafka_topic     LowCardinality(String),
    kafka_partition UInt32,
    kafka_offset    UInt64,
    stored_at       DateTime('UTC') DEFAULT now() COMMENT 'Retention counts from here, so that a backfill lives as long'
)
ENGINE = ReplacingMergeTree(revision)
PARTITION BY toYYYYMM(minute)
ORDER BY (minute, measure, endpoint, single_row, tier, lines_partition, partial)
TTL stored_at + INTERVAL 2 YEAR
SETTINGS non_replicated_deduplication_window = 10000, allow_nullable_key = 1
COMMENT 'Latency histograms per minute. Read with FINAL, then sumMap(bucket, n).';
