-- The first minute of a stretch of time in which stored calls and counted calls are not as many.
SELECT if(countIf(raw_calls != folded_calls) = 0, NULL, minIf(minute_ms, raw_calls != folded_calls)) AS first_ms
FROM
(
    SELECT minute_ms, sum(raw) AS raw_calls, sum(folded) AS folded_calls
    FROM
    (
        SELECT
            toInt64(toUnixTimestamp(toStartOfMinute(ended_at))) * 1000 AS minute_ms,
            toInt64(count()) AS raw,
            toInt64(0) AS folded
        FROM calls FINAL
        WHERE ended_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
          AND ended_at < fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC')
          AND time_source != 'read'
        GROUP BY minute_ms
        UNION ALL
        SELECT
            toInt64(toUnixTimestamp(minute)) * 1000 AS minute_ms,
            toInt64(0) AS raw,
            toInt64(sum(calls)) AS folded
        FROM decisions_minute FINAL
        WHERE minute >= toDateTime(fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC'), 'UTC')
          AND minute < toDateTime(fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC'), 'UTC')
        GROUP BY minute_ms
    )
    GROUP BY minute_ms
)
