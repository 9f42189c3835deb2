-- One row per gated call: the line's own fields, where it stands, and where it came through.
-- A key missing from the line is NULL, never 0; null_keys names those that were there and null.
CREATE TABLE calls
(
    event_id          UUID COMMENT 'Identity: hash of source, generation and position',
    source            LowCardinality(String) COMMENT 'Where the line was read',
    generation        UInt32 COMMENT 'Which file of the source: 1, 2, …',
    position          UInt64 COMMENT 'Bytes from the generation''s start to the line''s start' CODEC(Delta, ZSTD(1)),
    time_source       LowCardinality(String) COMMENT 'envelope: ended_at is the log transport''s; read: it is only when the line was read',
    flag              LowCardinality(Nullable(String)) COMMENT 'unterminated: the line had no end and was whole JSON all the same',
    ended_at          DateTime64(3, 'UTC') COMMENT 'Event time: when the call ended' CODEC(DoubleDelta, ZSTD(1)),
    read_at           DateTime64(3, 'UTC') COMMENT 'When the shipper read the line' CODEC(DoubleDelta, ZSTD(1)),

    decision          LowCardinality(String),
    mode              LowCardinality(Nullable(String)),
    enforced          Nullable(Bool),
    endpoint          LowCardinality(Nullable(String)),
    semantic          Nullable(Bool),
    reranker          Nullable(Bool),
    rows              Nullable(UInt32) COMMENT 'Rows in the request',
    single_row        Nullable(Bool) COMMENT 'Interactive: $match with exactly one row',
    tier              LowCardinality(Nullable(String)),
    user_id           Nullable(UInt64) COMMENT 'Personal data',
    full              Array(LowCardinality(String)) COMMENT 'Lanes at their limit when it arrived, in lane order',
    scope             LowCardinality(Nullable(String)) COMMENT 'The lane reported',
    in_flight         Nullable(UInt32),
    limit             Nullable(UInt32),
    task_in_flight    Nullable(UInt32),
    task_limit        Nullable(UInt32),
    es2_knn_in_flight Nullable(UInt32),
    es2_knn_limit     Nullable(UInt32),
    tier_in_flight    Nullable(UInt32),
    tier_limit        Nullable(UInt32),
    user_in_flight    Nullable(UInt32),
    user_limit        Nullable(UInt32),
    suggested         Nullable(UInt32) COMMENT 'Calls this user should keep in flight',
    retry_after       Nullable(UInt32) COMMENT 's',
    held_ms           Nullable(UInt32) COMMENT 'ms from acquire to release; NULL when no lease was held' CODEC(T64, ZSTD(1)),
    queue_ms          Nullable(UInt32) COMMENT 'ms from load balancer to view, high by 0 to 999' CODEC(T64, ZSTD(1)),
    lease_lost        Nullable(Bool),
    error             Nullable(String),
    task              LowCardinality(Nullable(String)),
    request_source    LowCardinality(Nullable(String)),
    algorithm_id      LowCardinality(Nullable(String)),
    automatch_run_id  Nullable(String),
    cid               Nullable(String) COMMENT 'Correlation id: a hint for people, never a key',
    log_dropped       Nullable(UInt64) COMMENT 'Lines that the sink dropped before this one',
    null_keys         Array(LowCardinality(String)) COMMENT 'Keys that were in the line with the value null',
    unknown           String COMMENT 'JSON object of the keys that this version does not know; empty when none' CODEC(ZSTD(3)),

    kafka_topic       LowCardinality(String),
    kafka_partition   UInt32,
    kafka_offset      UInt64 CODEC(Delta, ZSTD(1)),

    acquired_at       DateTime64(3, 'UTC') ALIAS ended_at - toIntervalMillisecond(ifNull(held_ms, 0)),
    requested_at      DateTime64(3, 'UTC') ALIAS acquired_at - toIntervalMillisecond(ifNull(queue_ms, 0))
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMMDD(ended_at)
ORDER BY (ended_at, event_id)
TTL toDateTime(read_at) + INTERVAL 90 DAY
SETTINGS non_replicated_deduplication_window = 10000
COMMENT 'Gated calls. Doubles collapse by (ended_at, event_id): read with FINAL.';
