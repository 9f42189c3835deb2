-- Calls since a time that are stored but not in the minute tables yet, and the first minute that
-- lacks any.
SELECT
    sum(greatest(raw_calls - folded_calls, 0)) AS not_folded,
    if(countIf(raw_calls > folded_calls) = 0, NULL, minIf(minute_ms, raw_calls > folded_calls))
        AS first_ms
FROM
(
    SELECT
        minute_ms,
        sum(raw) AS raw_calls,
        sum(folded) AS folded_calls
    FROM
    (
        SELECT
            toInt64(toUnixTimestamp(toStartOfMinute(ended_at))) * 1000 AS minute_ms,
            toInt64(count()) AS raw,
            toInt64(0) AS folded
        FROM calls FINAL
        WHERE ended_at >= fromUnixTimestamp64Milli(toInt64(:since_ms), 'UTC')
          AND time_source != 'read'
        GROUP BY minute_ms
        UNION ALL
        SELECT
            toInt64(toUnixTimestamp(minute)) * 1000 AS minute_ms,
            toInt64(0) AS raw,
            toInt64(sum(calls)) AS folded
        FROM decisions_minute FINAL
        WHERE minute >= toDateTime(fromUnixTimestamp64Milli(toInt64(:since_ms), 'UTC'), 'UTC')
        GROUP BY minute_ms
    )
    GROUP BY minute_ms
)
