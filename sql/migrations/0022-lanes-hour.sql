-- Lanes per hour, as decisions_hour.
CREATE TABLE lanes_hour
(
    hour          DateTime('UTC') COMMENT 'The hour''s start',
    lane          LowCardinality(String),
    tier          LowCardinality(Nullable(String)),
    task          LowCardinality(Nullable(String)),
    calls         UInt64,
    measured      UInt64,
    full          UInt64,
    full_alone    UInt64,
    near_limit    UInt64,
    in_flight_max Nullable(UInt32),
    limit_min     Nullable(UInt32),
    limit_max     Nullable(UInt32),
    occupancy_ms  UInt64,
    revision      UInt64 COMMENT 'ms since the epoch when it was made',
    stored_at     DateTime('UTC') DEFAULT now()
)
ENGINE = ReplacingMergeTree(revision)
PARTITION BY toYYYYMM(hour)
ORDER BY (hour, lane, tier, task)
TTL stored_at + INTERVAL 2 YEAR
SETTINGS non_replicated_deduplication_window = 10000, allow_nullable_key = 1
COMMENT 'Lanes per hour, from lanes_minute. Read with FINAL.';
