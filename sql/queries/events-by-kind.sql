-- How often each kind of rare things occurred in a stretch of time, and unavailable calls with them.
SELECT toString(kind) AS kind_text, toInt64(sum(n)) AS times
FROM events_minute FINAL
WHERE minute >= toDateTime(fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC'), 'UTC')
  AND minute < toDateTime(fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC'), 'UTC')
  AND kind != 'full_set'
GROUP BY kind_text
UNION ALL
SELECT 'unavailable' AS kind_text, toInt64(sum(calls)) AS times
FROM decisions_minute FINAL
WHERE minute >= toDateTime(fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC'), 'UTC')
  AND minute < toDateTime(fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC'), 'UTC')
  AND decision = 'unavailable'
