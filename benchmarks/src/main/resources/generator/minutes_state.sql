INSERT INTO minutes_state (lines_partition, complete_until, occupancy_complete_until, closed_until,
    sources, idle_sources, future_times, late_lines, published_at, revision)
SELECT number, until, until - toIntervalMinute(15), until - toIntervalMinute(15), 2, 0, 0, 0, until, 1
FROM (SELECT number, toDateTime64(:until_s, 3, 'UTC') AS until FROM numbers(4))
