-- Which books of a source are its newest, and when its first were written, without reading all of them.
ALTER TABLE pipeline_books
    ADD PROJECTION IF NOT EXISTS newest
    (
        SELECT
            source,
            argMax(kafka_partition, (written_at, kafka_offset)),
            argMax(kafka_offset, (written_at, kafka_offset)),
            min(written_at)
        GROUP BY source
    );
