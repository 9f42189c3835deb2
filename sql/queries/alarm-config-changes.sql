-- Per minute: changes of the limiter's config.
SELECT
    toInt64(toUnixTimestamp(toStartOfMinute(changed_at))) * 1000 AS minute_ms,
    ifNull(toString(mode), '') AS label_mode,
    ifNull(toString(change_source), '') AS label_change_source,
    toFloat64(count()) AS part,
    toFloat64(0) AS whole
FROM config_changes FINAL
WHERE changed_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
  AND changed_at < fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC')
  AND time_source != 'read'
GROUP BY minute_ms, label_mode, label_change_source
ORDER BY minute_ms
