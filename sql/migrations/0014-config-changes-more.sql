-- What a line got wrong.
ALTER TABLE config_changes
    ADD COLUMN IF NOT EXISTS type_errors Array(LowCardinality(String)) COMMENT 'Known keys whose value was of another type: their columns are NULL, the values are in unknown' AFTER unknown;
