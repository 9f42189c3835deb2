-- The newest books of each source, and when its first ones were written, as the table's projection newest
-- has them.
SELECT
    toString(source) AS source_text,
    toString(newest.1) AS shipper_text,
    toUnixTimestamp64Milli(newest.2) AS written_ms,
    newest.5 AS acknowledged,
    newest.10 AS behind_bytes,
    newest.11 AS dropped_at_source,
    toUnixTimestamp64Milli(newest.12) AS clock_ms,
    newest.13 AS at_end,
    toString(newest.14) AS state_text,
    newest.15 AS problem,
    toUnixTimestamp64Milli(first_written) AS first_ms
FROM
(
    SELECT
        source,
        min(written_at) AS first_written,
        argMax(
            (shipper, written_at, generation, lines_read, acknowledged, quarantined, not_ours, pending, bytes_read,
                behind_bytes, dropped_at_source, clock, at_end, state, problem),
            (written_at, kafka_offset)) AS newest
    FROM pipeline_books
    GROUP BY source
)
ORDER BY source_text
