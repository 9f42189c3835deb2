-- Histograms per hour of all calls together, as latency_hour without its dimensions: a long series is read
-- from a row a step and hour.
CREATE TABLE latency_total_hour
(
    hour      DateTime('UTC') COMMENT 'The hour''s start, by ended_at',
    measure   LowCardinality(String),
    present   UInt64,
    missing   UInt64,
    sum       UInt64,
    bucket    Array(UInt16),
    n         Array(UInt64),
    revision  UInt64 COMMENT 'ms since the epoch when it was made',
    stored_at DateTime('UTC') DEFAULT now()
)
ENGINE = ReplacingMergeTree(revision)
PARTITION BY toYYYYMM(hour)
ORDER BY (hour, measure)
TTL stored_at + INTERVAL 2 YEAR
SETTINGS non_replicated_deduplication_window = 10000
COMMENT 'Histograms per hour of all calls, from latency_minute. Read with FINAL.';
