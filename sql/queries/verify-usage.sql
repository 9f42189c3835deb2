-- Cells of usage_minute that a recount of the calls doesn't confirm, the oldest first. Classes of
-- algorithms and sources are configuration that the rows don't have: they are added up.
SELECT
    toInt64(toUnixTimestamp(minute_start)) * 1000 AS minute_ms,
    concat('tier=', ifNull(toString(cell_tier), 'none')) AS cell,
    toString((sumIf(cell_calls, cell_raw), sumIf(cell_held, cell_raw), sumIf(cell_lease, cell_raw))) AS recounted,
    toString((sumIf(cell_calls, NOT cell_raw), sumIf(cell_held, NOT cell_raw), sumIf(cell_lease, NOT cell_raw))) AS stored,
    count() OVER () AS differing
FROM
(
    SELECT
        true AS cell_raw,
        toStartOfMinute(ended_at) AS minute_start,
        tier AS cell_tier,
        toInt64(count()) AS cell_calls,
        toInt64(count(held_ms)) AS cell_held,
        toInt64(ifNull(sum(held_ms), 0)) AS cell_lease
    FROM calls FINAL
    WHERE ended_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
      AND ended_at < fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC')
      AND time_source = 'envelope'
    GROUP BY minute_start, cell_tier
    UNION ALL
    SELECT
        false AS cell_raw,
        minute AS minute_start,
        tier AS cell_tier,
        toInt64(sum(calls)) AS cell_calls,
        toInt64(sum(held)) AS cell_held,
        toInt64(sum(lease_ms)) AS cell_lease
    FROM usage_minute FINAL
    WHERE minute >= toDateTime(fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC'), 'UTC')
      AND minute < toDateTime(fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC'), 'UTC')
    GROUP BY minute_start, cell_tier
)
GROUP BY minute_start, cell_tier
HAVING recounted != stored
ORDER BY minute_start
LIMIT :row_limit
