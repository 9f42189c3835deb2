-- Per minute: calls that the limiter didn't count since it failed, of all.
SELECT
    toInt64(toUnixTimestamp(minute)) * 1000 AS minute_ms,
    ifNull(toString(endpoint), '') AS label_endpoint,
    ifNull(toString(mode), '') AS label_mode,
    toFloat64(sumIf(calls, decision = 'unavailable')) AS part,
    toFloat64(sum(calls)) AS whole
FROM decisions_minute FINAL
WHERE minute >= toDateTime(fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC'), 'UTC')
  AND minute < toDateTime(fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC'), 'UTC')
GROUP BY minute_ms, label_endpoint, label_mode
ORDER BY minute_ms
