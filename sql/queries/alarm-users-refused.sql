-- Per minute and user: calls that were refused or would have been.
SELECT
    toInt64(toUnixTimestamp(toStartOfMinute(ended_at))) * 1000 AS minute_ms,
    ifNull(toString(user_id), '') AS label_user_id,
    toFloat64(countIf(decision IN ('refused', 'shadow-refused'))) AS part,
    toFloat64(count()) AS whole
FROM calls FINAL
WHERE ended_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
  AND ended_at < fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC')
  AND time_source != 'read'
  AND user_id IS NOT NULL
GROUP BY minute_ms, label_user_id
ORDER BY minute_ms, label_user_id
