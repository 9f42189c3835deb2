-- Changes of the limiter's config, newest first; changed_by and note only with :personal = 1.
SELECT
    toString(event_id) AS event_id_text,
    toString(source) AS source_text,
    generation,
    position,
    toString(time_source) AS time_source_text,
    toUnixTimestamp64Milli(changed_at) AS changed_ms,
    version,
    if(:personal = 1, changed_by, NULL) AS changed_by_text,
    if(:personal = 1, note, NULL) AS note_text,
    toString(change_source) AS change_source_text,
    toString(mode) AS mode_text,
    changes
FROM config_changes FINAL
WHERE changed_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
  AND changed_at < fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC')
  AND (:after_on = 0
       OR (changed_at, event_id)
          < (fromUnixTimestamp64Milli(toInt64(:after_ms), 'UTC'), toUUID(:after_id)))
ORDER BY changed_at DESC, event_id DESC
LIMIT :row_limit
