-- The first and the last minute that have any call; one row, with count 0 when there is none.
SELECT
    toInt64(toUnixTimestamp(min(minute))) * 1000 AS first_ms,
    toInt64(toUnixTimestamp(max(minute))) * 1000 AS last_ms,
    count() AS partials
FROM decisions_minute
