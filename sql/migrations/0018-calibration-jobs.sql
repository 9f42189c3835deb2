-- Calibrations that were asked for through the API, and what came of them. Each change of state is a
-- new revision.
CREATE TABLE calibration_jobs
(
    id         UUID,
    revision   UInt64 COMMENT '1, 2, …',
    state      LowCardinality(String) COMMENT 'waiting, running, done, failed or cancelled',
    problem    Nullable(String),
    started_by String COMMENT 'Name of the token',
    started_at DateTime64(3, 'UTC'),
    ended_at   Nullable(DateTime64(3, 'UTC')),
    request    String COMMENT 'JSON: what was asked',
    summary    String COMMENT 'JSON: the figures of a list; empty until done',
    result     String COMMENT 'JSON: all of it; empty until done' CODEC(ZSTD(3)),
    report     String COMMENT 'HTML; empty until done' CODEC(ZSTD(3))
)
ENGINE = ReplacingMergeTree(revision)
ORDER BY id
TTL toDateTime(started_at) + INTERVAL 1 YEAR
SETTINGS non_replicated_deduplication_window = 10000
COMMENT 'Calibrations. Read with FINAL.';
