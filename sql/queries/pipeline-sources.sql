-- The newest books of each source, how many of its rows are stored, and how many lines those say were
-- dropped before them: calls, config changes, and what streams set aside; all of them were acknowledged
-- lines once. oldest_ms tells whether rows of the source may have been removed by age. Books are answered by
-- their table's projection newest, calls by by_source, and so without FINAL: a double counts until it is
-- merged away. A line can claim any number: the sum stops where a signed 64-bit number ends.
SELECT
    toString(books.source) AS source_text,
    toString(newest.1) AS shipper_text,
    toUnixTimestamp64Milli(newest.2) AS written_ms,
    newest.3 AS generation,
    newest.4 AS lines_read,
    newest.5 AS acknowledged,
    newest.6 AS quarantined,
    newest.7 AS not_ours,
    newest.8 AS pending,
    newest.9 AS bytes_read,
    newest.10 AS behind_bytes,
    newest.11 AS dropped_at_source,
    toUnixTimestamp64Milli(newest.12) AS clock_ms,
    newest.13 AS at_end,
    toString(newest.14) AS state_text,
    newest.15 AS problem,
    ifNull(stored.stored_rows, 0) AS stored_rows,
    toInt64(least(ifNull(stored.dropped, toUInt128(0)), toUInt128(9223372036854775807))) AS dropped_on_lines,
    if(ifNull(stored.stored_rows, 0) = 0, NULL, stored.newest_ms) AS newest_ms,
    if(ifNull(stored.stored_rows, 0) = 0, NULL, stored.oldest_ms) AS oldest_ms
FROM
(
    SELECT
        source,
        argMax(
            (shipper, written_at, generation, lines_read, acknowledged, quarantined, not_ours, pending, bytes_read,
                behind_bytes, dropped_at_source, clock, at_end, state, problem),
            (written_at, kafka_offset)) AS newest
    FROM pipeline_books
    GROUP BY source
) AS books
LEFT JOIN
(
    SELECT
        stored_source,
        sum(part_rows) AS stored_rows,
        max(part_newest) AS newest_ms,
        min(part_oldest) AS oldest_ms,
        sum(part_dropped) AS dropped
    FROM
    (
        SELECT
            toString(source) AS stored_source,
            count() AS part_rows,
            toUnixTimestamp64Milli(max(ended_at)) AS part_newest,
            toUnixTimestamp64Milli(min(read_at)) AS part_oldest,
            sum(toUInt128(ifNull(log_dropped, 0))) AS part_dropped
        FROM calls
        GROUP BY stored_source
        UNION ALL
        SELECT
            toString(source) AS stored_source,
            count() AS part_rows,
            max(toUnixTimestamp64Milli(changed_at)) AS part_newest,
            min(toUnixTimestamp64Milli(read_at)) AS part_oldest,
            sum(toUInt128(ifNull(log_dropped, 0))) AS part_dropped
        FROM config_changes FINAL
        GROUP BY stored_source
        UNION ALL
        SELECT
            ifNull(toString(source), '') AS stored_source,
            count() AS part_rows,
            max(ifNull(toUnixTimestamp64Milli(event_at), 0)) AS part_newest,
            min(toUnixTimestamp64Milli(read_at)) AS part_oldest,
            toUInt128(0) AS part_dropped
        FROM dead_letters FINAL
        WHERE stage = 'streams'
        GROUP BY stored_source
    )
    GROUP BY stored_source
) AS stored
ON toString(books.source) = stored.stored_source
ORDER BY source_text
