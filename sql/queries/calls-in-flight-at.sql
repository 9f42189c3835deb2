-- Calls that held a lease at a moment, the longest held first; a lease is held 15 minutes at most, so
-- nothing that ended later is looked at.
SELECT
    toString(event_id) AS event_id_text,
    toString(user_id) AS user_text,
    toUnixTimestamp64Milli(ended_at) AS ended_ms,
    held_ms,
    toString(decision) AS decision_text,
    toString(endpoint) AS endpoint_text,
    toString(tier) AS tier_text,
    toString(task) AS task_text,
    automatch_run_id,
    single_row,
    count() OVER () AS all_calls
FROM calls FINAL
WHERE ended_at > fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
  AND ended_at <= fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC')
  AND time_source != 'read'
  AND held_ms IS NOT NULL
  AND toUnixTimestamp64Milli(ended_at) - toInt64(held_ms) <= toInt64(:from_ms)
  AND event_id != toUUID(:after_id)
ORDER BY toUnixTimestamp64Milli(ended_at) - toInt64(held_ms), event_id_text
LIMIT :row_limit
