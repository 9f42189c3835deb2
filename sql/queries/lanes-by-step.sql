-- What each lane saw in each step of time, steps counted from the epoch. in_flight_mean is over the
-- whole step, also where it has minutes without calls.
SELECT
    intDiv(toInt64(toUnixTimestamp(minute)), toInt64(:step_s)) * toInt64(:step_s) * 1000 AS step_ms,
    toString(lane) AS lane_text,
    sum(calls) AS passed,
    sum(measured) AS with_numbers,
    sum(full) AS found_full,
    sum(full_alone) AS found_full_alone,
    sum(near_limit) AS found_near,
    max(in_flight_max) AS most_in_flight,
    min(limit_min) AS least_limit,
    max(limit_max) AS greatest_limit,
    sum(occupancy_ms) / (toInt64(:step_s) * 1000) AS in_flight_mean
FROM {lanes :step_s}
GROUP BY step_ms, lane_text
ORDER BY step_ms, lane_text
