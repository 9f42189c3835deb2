-- Now: seconds since anything of the minutes or the books was stored that was new.
SELECT
    toInt64(:to_ms) - 60000 AS minute_ms,
    toFloat64(toInt64(:to_ms) - max(newest_ms)) / 1000 AS part,
    toFloat64(0) AS whole
FROM
(
    SELECT toUnixTimestamp64Milli(max(published_at)) AS newest_ms, count() AS n
    FROM minutes_state FINAL
    UNION ALL
    SELECT toUnixTimestamp64Milli(max(written_at)) AS newest_ms, count() AS n
    FROM pipeline_books
)
WHERE n > 0
HAVING count() > 0
