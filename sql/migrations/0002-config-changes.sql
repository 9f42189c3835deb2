-- One row per change of the limiter's config.
CREATE TABLE config_changes
(
    event_id        UUID,
    source          LowCardinality(String),
    generation      UInt32,
    position        UInt64,
    time_source     LowCardinality(String),
    flag            LowCardinality(Nullable(String)),
    changed_at      DateTime64(3, 'UTC') COMMENT 'Event time',
    read_at         DateTime64(3, 'UTC'),

    version         Nullable(UInt64),
    changed_by      Nullable(String) COMMENT 'Personal data; NULL for a command',
    change_source   LowCardinality(Nullable(String)) COMMENT 'api or command',
    note            Nullable(String) COMMENT 'Personal data',
    mode            LowCardinality(Nullable(String)) COMMENT 'The mode after the change',
    changes         String COMMENT 'JSON object: dotted path to [old, new]',
    log_dropped     Nullable(UInt64),
    null_keys       Array(LowCardinality(String)),
    unknown         String,

    kafka_topic     LowCardinality(String),
    kafka_partition UInt32,
    kafka_offset    UInt64
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(changed_at)
ORDER BY (changed_at, event_id)
SETTINGS non_replicated_deduplication_window = 10000
COMMENT 'Changes of the limiter''s config. Read with FINAL.';
