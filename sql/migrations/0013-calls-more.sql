-- What a line got wrong, and the range that a raw queue_ms stands for.
ALTER TABLE calls
    ADD COLUMN IF NOT EXISTS type_errors Array(LowCardinality(String)) COMMENT 'Known keys whose value was of another type: their columns are NULL (decision: empty), the values are in unknown' AFTER unknown,
    ADD COLUMN IF NOT EXISTS queue_ms_corrected Tuple(low Nullable(UInt32), high Nullable(UInt32)) ALIAS (if(queue_ms > 999, queue_ms - 999, if(queue_ms IS NULL, NULL, 0)), queue_ms) COMMENT 'ms: the stamp has whole seconds, so the true delay lies between';
