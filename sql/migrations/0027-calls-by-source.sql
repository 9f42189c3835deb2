-- How many rows of each source are stored, and which lines told of losses, without reading all rows.
ALTER TABLE calls
    ADD PROJECTION IF NOT EXISTS by_source (SELECT source, count(), max(ended_at), min(read_at) GROUP BY source),
    ADD INDEX IF NOT EXISTS by_dropped ifNull(log_dropped, 0) TYPE minmax GRANULARITY 1;
