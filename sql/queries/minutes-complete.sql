-- Up to when the minutes of all partitions are complete, and what is known of their lines' times.
-- One partition of which nothing is known makes it unknown for all.
SELECT
    toUnixTimestamp64Milli(if(countIf(isNull(complete_until)) > 0, NULL, min(complete_until))) AS complete_ms,
    toUnixTimestamp64Milli(if(countIf(isNull(occupancy_complete_until)) > 0, NULL, min(occupancy_complete_until))) AS occupancy_complete_ms,
    toUnixTimestamp64Milli(if(countIf(isNull(closed_until)) > 0, NULL, min(closed_until))) AS closed_ms,
    sum(sources) AS all_sources,
    sum(idle_sources) AS idle,
    sum(future_times) AS future,
    sum(late_lines) AS late
FROM minutes_state FINAL
