-- The newest books of each source, and when its first ones were written. Which ones those are is answered
-- by the table's projection newest.
SELECT
    toString(books.source) AS source_text,
    toString(books.shipper) AS shipper_text,
    toUnixTimestamp64Milli(books.written_at) AS written_ms,
    books.generation AS generation,
    books.lines_read AS lines_read,
    books.acknowledged AS acknowledged,
    books.quarantined AS quarantined,
    books.not_ours AS not_ours,
    books.pending AS pending,
    books.bytes_read AS bytes_read,
    books.behind_bytes AS behind_bytes,
    books.dropped_at_source AS dropped_at_source,
    toUnixTimestamp64Milli(books.clock) AS clock_ms,
    books.at_end AS at_end,
    toString(books.state) AS state_text,
    books.problem AS problem,
    toUnixTimestamp64Milli(firsts.first_written) AS first_ms
FROM
(
    SELECT *
    FROM pipeline_books
    WHERE (source, kafka_partition, kafka_offset) IN
    (
        SELECT
            source,
            argMax(kafka_partition, (written_at, kafka_offset)),
            argMax(kafka_offset, (written_at, kafka_offset))
        FROM pipeline_books
        GROUP BY source
    )
    LIMIT 1 BY source
) AS books
INNER JOIN
(
    SELECT source, min(written_at) AS first_written
    FROM pipeline_books
    GROUP BY source
) AS firsts ON books.source = firsts.source
ORDER BY source_text
