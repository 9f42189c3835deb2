-- The books that the shipper keeps of each source, which are also its heartbeat.
-- lines_read = acknowledged + quarantined + not_ours + pending, in every row.
CREATE TABLE pipeline_books
(
    source            LowCardinality(String),
    shipper           LowCardinality(String) COMMENT 'The shipper''s identity',
    written_at        DateTime64(3, 'UTC'),
    generation        UInt32,
    lines_read        UInt64,
    acknowledged      UInt64 COMMENT 'Ours, and in Kafka',
    quarantined       UInt64 COMMENT 'Set aside as dead letters',
    not_ours          UInt64 COMMENT 'Noise',
    pending           UInt64 COMMENT 'Read, not yet decided or acknowledged',
    bytes_read        UInt64,
    behind_bytes      UInt64 COMMENT 'Bytes in the files that are not read yet',
    dropped_at_source UInt64 COMMENT 'Sum of log_dropped on lines that are not ours',
    clock             Nullable(DateTime64(3, 'UTC')) COMMENT 'Highest event time',
    at_end            Bool COMMENT 'Read to the present end',
    state             LowCardinality(String) COMMENT 'live, ended or failed',
    problem           Nullable(String),

    kafka_topic       LowCardinality(String),
    kafka_partition   UInt32,
    kafka_offset      UInt64
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(written_at)
ORDER BY (source, kafka_partition, kafka_offset)
TTL toDateTime(written_at) + INTERVAL 30 DAY
SETTINGS non_replicated_deduplication_window = 10000
COMMENT 'Books of each source over time; the newest row of a source is its state.';
