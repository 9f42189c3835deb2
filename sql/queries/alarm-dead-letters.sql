-- Per minute in which they were read: lines and records that couldn't be read.
SELECT
    toInt64(toUnixTimestamp(toStartOfMinute(read_at))) * 1000 AS minute_ms,
    toString(stage) AS label_stage,
    toString(reason) AS label_reason,
    toFloat64(count()) AS part,
    toFloat64(0) AS whole
FROM dead_letters FINAL
WHERE read_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
  AND read_at < fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC')
GROUP BY minute_ms, label_stage, label_reason
ORDER BY minute_ms
