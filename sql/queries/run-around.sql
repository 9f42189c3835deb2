-- A client run within a stretch of time, and which of its calls one is.
SELECT
    toInt64(count()) AS run_calls,
    toInt64(countIf(decision IN ('shadow-refused', 'refused'))) AS run_refused,
    toUnixTimestamp64Milli(min(ended_at)) AS first_ms,
    toUnixTimestamp64Milli(max(ended_at)) AS last_ms,
    toInt64(countIf(
        (ended_at, event_id) <= (fromUnixTimestamp64Milli(toInt64(:after_ms), 'UTC'), toUUID(:after_id)))) AS place
FROM calls FINAL
WHERE ended_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
  AND ended_at < fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC')
  AND automatch_run_id = :run
