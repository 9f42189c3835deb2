-- Up to where hours stand in for their minutes.
CREATE TABLE hours_state
(
    id          UInt8 COMMENT 'Always 1',
    built_until DateTime('UTC') COMMENT 'Hours before are closed and added up',
    revision    UInt64 COMMENT 'ms since the epoch when that was so',
    built_at    DateTime('UTC') DEFAULT now()
)
ENGINE = ReplacingMergeTree(revision)
ORDER BY id
SETTINGS non_replicated_deduplication_window = 10000
COMMENT 'State of the tables per hour. Read with FINAL.';
