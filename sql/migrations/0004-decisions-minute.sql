-- Calls per minute. Each row is one partial: what one Kafka partition folded in since it opened the
-- minute. A later revision of a partial replaces an earlier one; partials add up.
CREATE TABLE decisions_minute
(
    minute          DateTime('UTC') COMMENT 'The minute''s start, by ended_at',
    lines_partition UInt32 COMMENT 'Partition of the topic of lines',
    partial         UInt64 COMMENT 'Offset of the first line folded in',
    decision        LowCardinality(String),
    mode            LowCardinality(Nullable(String)),
    endpoint        LowCardinality(Nullable(String)),
    single_row      Nullable(Bool),
    tier            LowCardinality(Nullable(String)),
    scope           LowCardinality(Nullable(String)),
    calls           UInt64,
    revision        UInt64 COMMENT '2 × highest offset folded in, + 1 when closed',

    kafka_topic     LowCardinality(String),
    kafka_partition UInt32,
    kafka_offset    UInt64,
    stored_at       DateTime('UTC') DEFAULT now() COMMENT 'Retention counts from here, so that a backfill lives as long'
)
ENGINE = ReplacingMergeTree(revision)
PARTITION BY toYYYYMM(minute)
ORDER BY (minute, decision, mode, endpoint, single_row, tier, scope, lines_partition, partial)
TTL stored_at + INTERVAL 2 YEAR
SETTINGS non_replicated_deduplication_window = 10000, allow_nullable_key = 1
COMMENT 'Calls per minute by decision. Read with FINAL, then sum.';
