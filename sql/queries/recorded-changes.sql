-- Changes of the limiter's config up to the end of a stretch of time, as calibration takes them.
SELECT
    toUnixTimestamp64Milli(changed_at) AS changed_ms,
    version,
    toString(mode) AS mode_text,
    changes
FROM config_changes FINAL
WHERE changed_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
  AND changed_at < fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC')
ORDER BY changed_at, event_id
