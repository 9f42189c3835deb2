-- Calls, refusals and lease time of a stretch of time, and how many users had them.
SELECT
    toInt64(count()) AS all_calls,
    toInt64(countIf(decision IN ('shadow-refused', 'refused'))) AS all_refused,
    toInt64(sum(ifNull(held_ms, 0))) AS all_lease_ms,
    toInt64(countIf(held_ms IS NULL)) AS all_unknown,
    toInt64(uniqExact(user_id)) AS all_users
FROM calls FINAL
WHERE ended_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
  AND ended_at < fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC')
  AND time_source != 'read'
  AND (:tier_on = 0 OR tier IN (<tier>))
