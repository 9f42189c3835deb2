-- Lease-seconds of the runs that used most, from the rows: run ids are no closed set.
SELECT
    automatch_run_id AS run,
    count() AS all_calls,
    countIf(held_ms IS NULL) AS of_unknown_time,
    sum(ifNull(held_ms, 0)) / 1000 AS lease_seconds
FROM calls FINAL
WHERE ended_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
  AND ended_at < fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC')
  AND automatch_run_id IS NOT NULL
GROUP BY run
ORDER BY lease_seconds DESC, run
LIMIT :row_limit
