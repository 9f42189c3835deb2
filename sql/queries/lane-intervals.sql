-- When calls held one lane, with the limit that each saw: for time at the limit and the peak. Calls
-- that ended after the range's end may have begun within it, by 15 minutes at most.
SELECT
    toUnixTimestamp64Milli(ended_at) - toInt64(assumeNotNull(held_ms)) AS begin_ms,
    toUnixTimestamp64Milli(ended_at) AS end_ms,
    CAST(multiIf(:lane = 'api_heavy_task', toString(task), :lane = 'tier', toString(tier), NULL), 'Nullable(String)')
        AS lane_value,
    multiIf(
        :lane = 'api_heavy', limit,
        :lane = 'api_heavy_task', task_limit,
        :lane = 'es2_knn', es2_knn_limit,
        tier_limit) AS limit_seen
FROM calls FINAL
WHERE ended_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
  AND ended_at < fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC') + toIntervalMinute(15)
  AND time_source != 'read'
  AND held_ms IS NOT NULL
  AND (:lane != 'es2_knn' OR (semantic AND endpoint = '$match'))
  AND (:lane != 'tier' OR tier IS NOT NULL)
  AND (:lane != 'api_heavy_task' OR task IS NOT NULL)
  AND toUnixTimestamp64Milli(ended_at) - toInt64(assumeNotNull(held_ms)) < toInt64(:to_ms)
ORDER BY begin_ms, end_ms
