-- At each minute's end: bytes of a source that hasn't ended that aren't read yet.
-- A row that is stored twice changes nothing: any of them is joined.
SELECT
    grid.start_ms AS minute_ms,
    grid.source_text AS label_source,
    toFloat64(books.behind_bytes) AS part,
    toFloat64(0) AS whole
FROM
(
    SELECT source_text, start_ms, start_ms + 60000 AS end_ms
    FROM
    (
        SELECT
            toString(source) AS source_text,
            arrayJoin(range(toInt64(:from_ms), toInt64(:to_ms), 60000)) AS start_ms
        FROM pipeline_books
        WHERE written_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC') - INTERVAL 1 DAY
          AND written_at < fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC')
        GROUP BY source
    )
) AS grid
ASOF INNER JOIN
(
    SELECT
        toString(source) AS source_text,
        toUnixTimestamp64Milli(written_at) AS written_ms,
        behind_bytes,
        toString(state) AS state_text
    FROM pipeline_books
    WHERE written_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC') - INTERVAL 1 DAY
      AND written_at < fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC')
) AS books
ON grid.source_text = books.source_text AND grid.end_ms > books.written_ms
WHERE books.state_text != 'ended'
ORDER BY minute_ms, label_source
