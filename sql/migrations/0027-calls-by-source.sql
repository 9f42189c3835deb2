-- What is stored of each source, and whether any call has no time of its own, without reading all rows.
ALTER TABLE calls
    ADD PROJECTION IF NOT EXISTS by_source
        (SELECT source, count(), max(ended_at), min(read_at), sum(toUInt128(ifNull(log_dropped, 0))) GROUP BY source),
    ADD PROJECTION IF NOT EXISTS by_time_source
        (SELECT time_source, count(), min(ended_at), max(ended_at) GROUP BY time_source);
