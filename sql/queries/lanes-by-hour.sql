-- What one lane saw, by weekday (1 is Monday) and hour, in UTC.
SELECT
    toDayOfWeek(minute_start, 0, 'UTC') AS weekday,
    toHour(minute_start, 'UTC') AS hour_of_day,
    sum(minute_calls) AS passed,
    sum(minute_full) AS found_full,
    countIf(minute_full > 0) AS minutes_full,
    sum(minute_occupancy) AS held_ms_within,
    max(minute_in_flight) AS most_in_flight,
    max(minute_limit) AS greatest_limit
FROM
(
    SELECT
        minute AS minute_start,
        sum(calls) AS minute_calls,
        sum(full) AS minute_full,
        sum(occupancy_ms) AS minute_occupancy,
        max(in_flight_max) AS minute_in_flight,
        max(limit_max) AS minute_limit
    FROM lanes_minute FINAL
    WHERE minute >= toDateTime(fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC'), 'UTC')
      AND minute < toDateTime(fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC'), 'UTC')
      AND lane = :lane
      AND (:tier_on = 0 OR tier IN (<tier>))
      AND (:task_on = 0 OR task IN (<task>))
    GROUP BY minute_start
)
GROUP BY weekday, hour_of_day
ORDER BY weekday, hour_of_day
