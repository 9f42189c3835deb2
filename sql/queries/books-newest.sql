-- The newest books of each source, and when its first ones were written. Only the key columns are read
-- of all books.
SELECT
    toString(source) AS source_text,
    toString(shipper) AS shipper_text,
    toUnixTimestamp64Milli(written_at) AS written_ms,
    generation,
    lines_read,
    acknowledged,
    quarantined,
    not_ours,
    pending,
    bytes_read,
    behind_bytes,
    dropped_at_source,
    toUnixTimestamp64Milli(clock) AS clock_ms,
    at_end,
    toString(state) AS state_text,
    problem,
    firsts.first_ms AS first_ms
FROM pipeline_books
INNER JOIN
(
    SELECT toString(source) AS first_source, toUnixTimestamp64Milli(min(written_at)) AS first_ms
    FROM pipeline_books
    GROUP BY first_source
) AS firsts ON toString(pipeline_books.source) = firsts.first_source
WHERE (source, kafka_partition, kafka_offset) IN
(
    SELECT
        source,
        argMax(kafka_partition, (written_at, kafka_offset)),
        argMax(kafka_offset, (written_at, kafka_offset))
    FROM pipeline_books
    GROUP BY source
)
ORDER BY source_text
LIMIT 1 BY source_text
