-- Two more dimensions. Rows from before don't know them: NULL.
ALTER TABLE decisions_minute
    ADD COLUMN IF NOT EXISTS enforced Nullable(Bool) COMMENT 'Whether the calls could have been refused' AFTER mode,
    ADD COLUMN IF NOT EXISTS source_class LowCardinality(Nullable(String)) COMMENT 'Configured class of request_source; other: not in any; NULL: the line had none' AFTER scope,
    MODIFY ORDER BY (minute, decision, mode, endpoint, single_row, tier, scope, lines_partition, partial, enforced, source_class);
