-- How often each value of one kind of rare things occurred, most frequent first.
SELECT
    toString(value) AS value_text,
    sum(n) AS times
FROM events_minute FINAL
WHERE minute >= toDateTime(fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC'), 'UTC')
  AND minute < toDateTime(fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC'), 'UTC')
  AND kind = :kind
GROUP BY value_text
ORDER BY times DESC, value_text
