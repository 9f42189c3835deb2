-- Up to when the minutes of all partitions are complete, and what is known of their lines' times.
-- Where one partition has nothing complete, nothing is: min() alone would pass over its NULL.
SELECT
    count() AS partitions,
    if(countIf(complete_until IS NULL) > 0, NULL, toUnixTimestamp64Milli(min(complete_until)))
        AS complete_ms,
    if(countIf(occupancy_complete_until IS NULL) > 0, NULL, toUnixTimestamp64Milli(min(occupancy_complete_until)))
        AS occupancy_complete_ms,
    if(countIf(closed_until IS NULL) > 0, NULL, toUnixTimestamp64Milli(min(closed_until)))
        AS closed_ms,
    sum(sources) AS all_sources,
    sum(idle_sources) AS idle,
    sum(future_times) AS future,
    sum(late_lines) AS late
FROM minutes_state FINAL
