-- Per minute: calls that found a lane full, of those that passed it.
SELECT
    toInt64(toUnixTimestamp(minute)) * 1000 AS minute_ms,
    toString(lane) AS label_lane,
    ifNull(toString(tier), '') AS label_tier,
    ifNull(toString(task), '') AS label_task,
    toFloat64(sum(full)) AS part,
    toFloat64(sum(calls)) AS whole
FROM lanes_minute FINAL
WHERE minute >= toDateTime(fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC'), 'UTC')
  AND minute < toDateTime(fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC'), 'UTC')
GROUP BY minute_ms, label_lane, label_tier, label_task
ORDER BY minute_ms, label_lane, label_tier, label_task
