-- Per minute: how many modes its calls were under.
SELECT
    toInt64(toUnixTimestamp(minute)) * 1000 AS minute_ms,
    toFloat64(uniqExactIf(mode, calls > 0)) AS part,
    toFloat64(sum(calls)) AS whole
FROM decisions_minute FINAL
WHERE minute >= toDateTime(fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC'), 'UTC')
  AND minute < toDateTime(fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC'), 'UTC')
  AND mode IS NOT NULL
GROUP BY minute_ms
ORDER BY minute_ms
