-- Closed hours that have minutes and no sum of their newest state: those that have closed since the
-- last look, and those of which a minute was stored since, with two minutes to spare for rows under
-- way.
WITH
    toDateTime(toInt64(:closed_s), 'UTC') AS closed,
    ifNull((SELECT max(built_until) FROM hours_state WHERE made_of = 1), toDateTime(0, 'UTC')) AS built,
    ifNull((SELECT max(built_at) FROM hours_state WHERE made_of = 1), toDateTime(0, 'UTC')) - toIntervalMinute(2) AS looked
SELECT toInt64(toUnixTimestamp(changed)) AS hour_s
FROM
(
    SELECT toStartOfHour(minute) AS changed
    FROM decisions_minute
    WHERE minute < closed AND (minute >= built OR stored_at >= looked)
    GROUP BY changed
    UNION ALL
    SELECT toStartOfHour(minute) AS changed
    FROM latency_minute
    WHERE minute < closed AND (minute >= built OR stored_at >= looked)
    GROUP BY changed
    UNION ALL
    SELECT toStartOfHour(minute) AS changed
    FROM lanes_minute
    WHERE minute < closed AND (minute >= built OR stored_at >= looked)
    GROUP BY changed
    UNION ALL
    SELECT toStartOfHour(minute) AS changed
    FROM usage_minute
    WHERE minute < closed AND (minute >= built OR stored_at >= looked)
    GROUP BY changed
    UNION ALL
    SELECT toStartOfHour(minute) AS changed
    FROM events_minute
    WHERE minute < closed AND (minute >= built OR stored_at >= looked)
    GROUP BY changed
)
GROUP BY changed
ORDER BY changed
