-- Calls whose line had no time: ended_at is when the line was read, so no minute counts them.
SELECT count() AS n
FROM calls FINAL
WHERE time_source = 'read'
  AND ended_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
  AND ended_at < fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC')
