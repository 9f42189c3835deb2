-- Whether any call has no time of its own, without reading all rows.
ALTER TABLE calls
    ADD PROJECTION IF NOT EXISTS by_time_source
        (SELECT time_source, count(), min(ended_at), max(ended_at) GROUP BY time_source);
