-- Calls whose line had no time: ended_at is when the line was read, so no minute counts them. Few
-- columns of all calls are read, and doubles collapse by their ids.
SELECT toInt64(uniqExact(event_id)) AS n
FROM calls
WHERE time_source = 'read'
  AND ended_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
  AND ended_at < fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC')
