-- Rare things per hour, as decisions_hour.
CREATE TABLE events_hour
(
    hour      DateTime('UTC') COMMENT 'The hour''s start, by the line''s time',
    kind      LowCardinality(String),
    value     LowCardinality(String),
    n         UInt64,
    revision  UInt64 COMMENT 'ms since the epoch when it was made',
    stored_at DateTime('UTC') DEFAULT now()
)
ENGINE = ReplacingMergeTree(revision)
PARTITION BY toYYYYMM(hour)
ORDER BY (hour, kind, value)
TTL stored_at + INTERVAL 2 YEAR
SETTINGS non_replicated_deduplication_window = 10000
COMMENT 'Rare things per hour, from events_minute. Read with FINAL.';
