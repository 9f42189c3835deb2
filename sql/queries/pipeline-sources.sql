-- The newest books of each source, and how many of its rows are stored: calls, config changes, and
-- what streams set aside; all of them were acknowledged lines once. oldest_ms tells whether rows of
-- the source may have been removed by age. Calls are counted by the table's projection by_source, and so
-- without FINAL: a double counts until it is merged away.
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
    ifNull(stored.stored_rows, 0) AS stored_rows,
    if(ifNull(stored.stored_rows, 0) = 0, NULL, stored.newest_ms) AS newest_ms,
    if(ifNull(stored.stored_rows, 0) = 0, NULL, stored.oldest_ms) AS oldest_ms
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
LEFT JOIN
(
    SELECT
        stored_source,
        sum(part_rows) AS stored_rows,
        max(part_newest) AS newest_ms,
        min(part_oldest) AS oldest_ms
    FROM
    (
        SELECT
            toString(source) AS stored_source,
            count() AS part_rows,
            toUnixTimestamp64Milli(max(ended_at)) AS part_newest,
            toUnixTimestamp64Milli(min(read_at)) AS part_oldest
        FROM calls
        GROUP BY stored_source
        UNION ALL
        SELECT
            toString(source) AS stored_source,
            count() AS part_rows,
            max(toUnixTimestamp64Milli(changed_at)) AS part_newest,
            min(toUnixTimestamp64Milli(read_at)) AS part_oldest
        FROM config_changes FINAL
        GROUP BY stored_source
        UNION ALL
        SELECT
            ifNull(toString(source), '') AS stored_source,
            count() AS part_rows,
            max(ifNull(toUnixTimestamp64Milli(event_at), 0)) AS part_newest,
            min(toUnixTimestamp64Milli(read_at)) AS part_oldest
        FROM dead_letters FINAL
        WHERE stage = 'streams'
        GROUP BY stored_source
    )
    GROUP BY stored_source
) AS stored
ON toString(books.source) = stored.stored_source
ORDER BY source_text
