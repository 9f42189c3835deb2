-- API tasks that wrote lines in a stretch of time, and then none for :silent_s before the newest line
-- of all.
SELECT
    toString(task) AS task_text,
    toInt64(toUnixTimestamp(max(minute))) * 1000 AS last_minute_ms,
    sum(calls) AS lines_before
FROM lanes_minute FINAL
WHERE lane = 'api_heavy'
  AND task IS NOT NULL
  AND calls > 0
  AND minute >= toDateTime(fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC'), 'UTC')
  AND minute < toDateTime(fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC'), 'UTC')
GROUP BY task_text
HAVING max(minute) < (
    SELECT max(minute)
    FROM lanes_minute FINAL
    WHERE minute < toDateTime(fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC'), 'UTC')
) - toIntervalSecond(toInt64(:silent_s))
ORDER BY task_text
