-- When the calls were read whose line had no time; null when there are none. Answered by the table's
-- projection by_time_source.
SELECT
    if(untimed = 0, NULL, minIf(first_ms, time_source = 'read')) AS first_read_ms,
    if(untimed = 0, NULL, maxIf(last_ms, time_source = 'read')) AS last_read_ms,
    sumIf(stored, time_source = 'read') AS untimed
FROM
(
    SELECT
        time_source,
        count() AS stored,
        toUnixTimestamp64Milli(min(ended_at)) AS first_ms,
        toUnixTimestamp64Milli(max(ended_at)) AS last_ms
    FROM calls
    GROUP BY time_source
)
