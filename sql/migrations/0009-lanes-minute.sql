-- Lanes per minute; partials and revisions as in decisions_minute. Calls count in the minute in which
-- they ended, occupancy in every minute that they overlap.
CREATE TABLE lanes_minute
(
    minute          DateTime('UTC') COMMENT 'The minute''s start',
    lines_partition UInt32,
    partial         UInt64,
    lane            LowCardinality(String) COMMENT 'api_heavy, api_heavy_task, es2_knn, tier, user, or one not known yet',
    tier            LowCardinality(Nullable(String)) COMMENT 'The callers'' tier',
    task            LowCardinality(Nullable(String)) COMMENT 'The API task',
    calls           UInt64 COMMENT 'Calls that passed the lane, or would have',
    measured        UInt64 COMMENT 'Of them, those that say both in-flight count and limit',
    full            UInt64 COMMENT 'Calls that found it full',
    full_alone      UInt64 COMMENT 'Calls that found it full and no other',
    near_limit      UInt64 COMMENT 'Measured calls that found it near its limit (80 % unless configured), at it or beyond',
    in_flight_max   Nullable(UInt32) COMMENT 'Most in flight that any call saw: max over partials',
    limit_min       Nullable(UInt32) COMMENT 'Least limit that any call saw: min over partials',
    limit_max       Nullable(UInt32) COMMENT 'Greatest limit that any call saw: max over partials',
    occupancy_ms    UInt64 COMMENT 'ms that calls held the lane within the minute; / 60000 = mean calls in flight',
    revision        UInt64,

    kafka_topic     LowCardinality(String),
    kafka_partition UInt32,
    kafka_offset    UInt64,
    stored_at       DateTime('UTC') DEFAULT now() COMMENT 'Retention counts from here, so that a backfill lives as long'
)
ENGINE = ReplacingMergeTree(revision)
PARTITION BY toYYYYMM(minute)
ORDER BY (minute, lane, tier, task, lines_partition, partial)
TTL stored_at + INTERVAL 2 YEAR
SETTINGS non_replicated_deduplication_window = 10000, allow_nullable_key = 1
COMMENT 'Lanes per minute. Read with FINAL, then sum.';
