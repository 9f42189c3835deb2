-- Lines and records set aside in a stretch of time, by the stage that did it and the reason.
SELECT
    toString(stage) AS stage_text,
    toString(reason) AS reason_text,
    count() AS n,
    toUnixTimestamp64Milli(min(read_at)) AS first_ms,
    toUnixTimestamp64Milli(max(read_at)) AS last_ms
FROM dead_letters FINAL
WHERE read_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
  AND read_at < fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC')
GROUP BY stage_text, reason_text
ORDER BY n DESC, stage_text, reason_text
