-- Histograms per hour, as decisions_hour.
CREATE TABLE latency_hour
(
    hour       DateTime('UTC') COMMENT 'The hour''s start, by ended_at',
    measure    LowCardinality(String),
    endpoint   LowCardinality(Nullable(String)),
    single_row Nullable(Bool),
    tier       LowCardinality(Nullable(String)),
    present    UInt64,
    missing    UInt64,
    sum        UInt64,
    bucket     Array(UInt16),
    n          Array(UInt64),
    revision   UInt64 COMMENT 'ms since the epoch when it was made',
    stored_at  DateTime('UTC') DEFAULT now()
)
ENGINE = ReplacingMergeTree(revision)
PARTITION BY toYYYYMM(hour)
ORDER BY (hour, measure, endpoint, single_row, tier)
TTL stored_at + INTERVAL 2 YEAR
SETTINGS non_replicated_deduplication_window = 10000, allow_nullable_key = 1
COMMENT 'Histograms per hour, from latency_minute. Read with FINAL.';
