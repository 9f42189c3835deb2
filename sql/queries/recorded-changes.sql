-- Changes of the limiter's config in a stretch of time, oldest first, without personal data.
SELECT
    toUnixTimestamp64Milli(changed_at) AS changed_ms,
    toString(time_source) AS time_source_text,
    version,
    toString(mode) AS mode_text,
    changes,
    log_dropped,
    arrayStringConcat(type_errors, ',') AS type_error_keys
FROM config_changes FINAL
WHERE changed_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
  AND changed_at < fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC')
ORDER BY changed_at, event_id
