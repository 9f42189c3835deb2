-- What could not be read: its place, why, and its first bytes.
CREATE TABLE dead_letters
(
    id              UUID COMMENT 'The line''s event id, or one made from topic, partition and offset',
    stage           LowCardinality(String) COMMENT 'ship or streams',
    source          LowCardinality(Nullable(String)),
    generation      Nullable(UInt32),
    position        Nullable(UInt64),
    topic           LowCardinality(Nullable(String)) COMMENT 'streams: the topic it was read from',
    partition       Nullable(UInt32),
    offset          Nullable(UInt64),
    reason          LowCardinality(String),
    detail          Nullable(String),
    raw_base64      String COMMENT 'At most the first 4 KiB',
    raw_length      UInt64 COMMENT 'Bytes',
    raw_sha256      String,
    event_at        Nullable(DateTime64(3, 'UTC')),
    read_at         DateTime64(3, 'UTC'),

    kafka_topic     LowCardinality(String),
    kafka_partition UInt32,
    kafka_offset    UInt64
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(read_at)
ORDER BY (read_at, id)
TTL toDateTime(read_at) + INTERVAL 90 DAY
SETTINGS non_replicated_deduplication_window = 10000
COMMENT 'Lines and records that could not be read. Read with FINAL.';
