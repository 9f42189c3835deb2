-- What each scheduled recount found.
CREATE TABLE verifications
(
    verified_at     DateTime64(3, 'UTC') COMMENT 'By wall clock',
    period_start    DateTime('UTC') COMMENT 'First minute recounted',
    period_end      DateTime('UTC') COMMENT 'End of what was recounted, not included',
    calls           UInt64 COMMENT 'Calls of the period',
    hidden_doubles  UInt64 COMMENT 'Rows stored twice, which queries don''t see',
    in_flight       UInt64 COMMENT 'Lines acknowledged by sources and not stored yet',
    differing_cells UInt64 COMMENT 'Cells of minutes that the recount doesn''t confirm',
    differences     Array(String) COMMENT 'What doesn''t agree, in a sentence each; empty: everything agrees'
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(verified_at)
ORDER BY verified_at
TTL toDateTime(verified_at) + INTERVAL 1 YEAR
SETTINGS non_replicated_deduplication_window = 10000
COMMENT 'Recounts of minutes, event ids and books.';
