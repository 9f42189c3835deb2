-- How far each partition of the lines has come in event time. Minutes that start before
-- complete_until are complete over all its sources; the least over partitions is complete for all.
CREATE TABLE minutes_state
(
    lines_partition          UInt32,
    complete_until           Nullable(DateTime64(3, 'UTC')) COMMENT 'NULL: nothing is complete yet',
    occupancy_complete_until Nullable(DateTime64(3, 'UTC')) COMMENT 'Likewise for occupancy, which calls of up to 15 min add to when they end',
    closed_until             Nullable(DateTime64(3, 'UTC')) COMMENT 'Minutes before are past their grace: what comes later is counted as late, and counts all the same',
    sources                  UInt32,
    idle_sources             UInt32,
    future_times             UInt64 COMMENT 'Lines whose time lay over a minute past their reading',
    late_lines               UInt64 COMMENT 'Lines that came after their minute was closed by their own source''s clock',
    published_at             DateTime64(3, 'UTC') COMMENT 'By wall clock',
    revision                 UInt64,

    kafka_topic              LowCardinality(String),
    kafka_partition          UInt32,
    kafka_offset             UInt64,
    stored_at                DateTime('UTC') DEFAULT now()
)
ENGINE = ReplacingMergeTree(revision)
ORDER BY lines_partition
SETTINGS non_replicated_deduplication_window = 10000
COMMENT 'Event time of the partitions of the lines. Read with FINAL.';
