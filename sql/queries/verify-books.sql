-- Sources whose books don't balance, or whose acknowledged lines aren't all stored after a minute.
-- A source with rows near the end of their retention isn't compared with what is stored.
SELECT
    books.book_source AS source_text,
    books.newest_read AS lines_read,
    books.newest_accounted AS accounted,
    books.newest_acknowledged AS acknowledged,
    books.settled_acknowledged AS settled,
    ifNull(stored.stored_rows, 0) AS stored_rows,
    ifNull(stored.oldest_ms, 0) AS oldest_ms
FROM
(
    SELECT
        toString(source) AS book_source,
        toInt64(argMax(lines_read, kafka_offset)) AS newest_read,
        toInt64(argMax(acknowledged + quarantined + not_ours + pending, kafka_offset)) AS newest_accounted,
        toInt64(argMax(acknowledged, kafka_offset)) AS newest_acknowledged,
        toInt64(argMaxIf(
            acknowledged,
            kafka_offset,
            written_at <= fromUnixTimestamp64Milli(toInt64(:settled_ms), 'UTC'))) AS settled_acknowledged
    FROM pipeline_books FINAL
    GROUP BY book_source
) AS books
LEFT JOIN
(
    SELECT
        stored_source,
        toInt64(sum(part_rows)) AS stored_rows,
        min(part_oldest) AS oldest_ms
    FROM
    (
        SELECT
            toString(source) AS stored_source,
            count() AS part_rows,
            min(toUnixTimestamp64Milli(read_at)) AS part_oldest
        FROM calls FINAL
        GROUP BY stored_source
        UNION ALL
        SELECT
            toString(source) AS stored_source,
            count() AS part_rows,
            min(toUnixTimestamp64Milli(read_at)) AS part_oldest
        FROM config_changes FINAL
        GROUP BY stored_source
        UNION ALL
        SELECT
            ifNull(toString(source), '') AS stored_source,
            count() AS part_rows,
            min(toUnixTimestamp64Milli(read_at)) AS part_oldest
        FROM dead_letters FINAL
        WHERE stage = 'streams'
        GROUP BY stored_source
    )
    GROUP BY stored_source
) AS stored
ON books.book_source = stored.stored_source
ORDER BY source_text
