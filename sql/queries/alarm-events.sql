-- Per minute: rare things by kind.
SELECT
    toInt64(toUnixTimestamp(minute)) * 1000 AS minute_ms,
    toString(kind) AS label_kind,
    toFloat64(sum(n)) AS part,
    toFloat64(0) AS whole
FROM events_minute FINAL
WHERE minute >= toDateTime(fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC'), 'UTC')
  AND minute < toDateTime(fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC'), 'UTC')
  AND kind != 'full_set'
GROUP BY minute_ms, label_kind
ORDER BY minute_ms
