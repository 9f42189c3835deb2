-- The newest books of each source, and when its first were written, without reading all of them.
ALTER TABLE pipeline_books
    ADD PROJECTION IF NOT EXISTS newest
    (
        SELECT
            source,
            min(written_at),
            argMax(
                (shipper, written_at, generation, lines_read, acknowledged, quarantined, not_ours, pending, bytes_read,
                    behind_bytes, dropped_at_source, clock, at_end, state, problem),
                (written_at, kafka_offset))
        GROUP BY source
    );
