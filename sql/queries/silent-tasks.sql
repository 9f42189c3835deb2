-- API tasks that wrote lines in a stretch of time, and then none for :silent_s before the newest line
-- of all. A minute that has calls has them in every revision: only their number needs the newest.
SELECT
    lasts.task_text AS task_text,
    toInt64(toUnixTimestamp(last_minute)) * 1000 AS last_minute_ms,
    lines_before
FROM
(
    SELECT toString(task) AS task_text, max(minute) AS last_minute
    FROM lanes_minute
    WHERE lane = 'api_heavy'
      AND task IS NOT NULL
      AND calls > 0
      AND minute >= toDateTime(fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC'), 'UTC')
      AND minute < toDateTime(fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC'), 'UTC')
    GROUP BY task_text
    HAVING last_minute < (
        SELECT minute
        FROM lanes_minute
        WHERE minute < toDateTime(fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC'), 'UTC')
        ORDER BY minute DESC
        LIMIT 1
    ) - toIntervalSecond(toInt64(:silent_s))
) AS lasts
INNER JOIN
(
    SELECT toString(task) AS task_text, sum(calls) AS lines_before
    FROM {lanes 3600}
    WHERE lane = 'api_heavy' AND task IS NOT NULL
    GROUP BY task_text
) AS counts ON lasts.task_text = counts.task_text
ORDER BY task_text
