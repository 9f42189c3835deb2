-- Now: acknowledged lines of each source that should be stored and aren't: what was acknowledged two
-- minutes before to_ms, less the rows stored. A source with rows near the end of their retention isn't
-- compared.
SELECT
    toInt64(:to_ms) - 60000 AS minute_ms,
    books.book_source AS label_source,
    toFloat64(greatest(0, books.settled - ifNull(stored.stored_rows, 0))) AS part,
    toFloat64(0) AS whole
FROM
(
    SELECT
        toString(source) AS book_source,
        toInt64(argMaxIf(acknowledged, kafka_offset,
            written_at <= fromUnixTimestamp64Milli(toInt64(:to_ms) - 120000, 'UTC'))) AS settled
    FROM pipeline_books FINAL
    GROUP BY book_source
) AS books
LEFT JOIN
(
    SELECT stored_source, toInt64(sum(part_rows)) AS stored_rows, min(part_oldest) AS oldest_ms
    FROM
    (
        SELECT toString(source) AS stored_source, count() AS part_rows, min(toUnixTimestamp64Milli(read_at)) AS part_oldest
        FROM calls FINAL
        GROUP BY stored_source
        UNION ALL
        SELECT toString(source) AS stored_source, count() AS part_rows, min(toUnixTimestamp64Milli(read_at)) AS part_oldest
        FROM config_changes FINAL
        GROUP BY stored_source
        UNION ALL
        SELECT ifNull(toString(source), '') AS stored_source, count() AS part_rows, min(toUnixTimestamp64Milli(read_at)) AS part_oldest
        FROM dead_letters FINAL
        WHERE stage = 'streams'
        GROUP BY stored_source
    )
    GROUP BY stored_source
) AS stored
ON books.book_source = stored.stored_source
WHERE ifNull(stored.oldest_ms, 0) = 0 OR stored.oldest_ms > toInt64(:to_ms) - 80 * toInt64(86400000)
ORDER BY label_source
