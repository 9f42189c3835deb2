-- Cells of decisions_minute that a recount of the calls doesn't confirm, the oldest first. Classes
-- of sources are configuration that the rows don't have: they are added up.
SELECT
    toInt64(toUnixTimestamp(minute_start)) * 1000 AS minute_ms,
    concat(
        'decision=', cell_decision,
        ' mode=', ifNull(toString(cell_mode), 'none'),
        ' enforced=', ifNull(toString(cell_enforced), 'none'),
        ' endpoint=', ifNull(toString(cell_endpoint), 'none'),
        ' single_row=', ifNull(toString(cell_single_row), 'none'),
        ' tier=', ifNull(toString(cell_tier), 'none'),
        ' scope=', ifNull(toString(cell_scope), 'none')) AS cell,
    sum(raw) AS recounted,
    sum(folded) AS stored,
    count() OVER () AS differing
FROM
(
    SELECT
        toStartOfMinute(ended_at) AS minute_start,
        toString(decision) AS cell_decision,
        mode AS cell_mode,
        enforced AS cell_enforced,
        endpoint AS cell_endpoint,
        single_row AS cell_single_row,
        tier AS cell_tier,
        scope AS cell_scope,
        toInt64(count()) AS raw,
        toInt64(0) AS folded
    FROM calls FINAL
    WHERE ended_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
      AND ended_at < fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC')
      AND time_source = 'envelope'
    GROUP BY minute_start, cell_decision, cell_mode, cell_enforced, cell_endpoint, cell_single_row, cell_tier, cell_scope
    UNION ALL
    SELECT
        minute AS minute_start,
        toString(decision) AS cell_decision,
        mode AS cell_mode,
        enforced AS cell_enforced,
        endpoint AS cell_endpoint,
        single_row AS cell_single_row,
        tier AS cell_tier,
        scope AS cell_scope,
        toInt64(0) AS raw,
        toInt64(sum(calls)) AS folded
    FROM decisions_minute FINAL
    WHERE minute >= toDateTime(fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC'), 'UTC')
      AND minute < toDateTime(fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC'), 'UTC')
    GROUP BY minute_start, cell_decision, cell_mode, cell_enforced, cell_endpoint, cell_single_row, cell_tier, cell_scope
)
GROUP BY minute_start, cell_decision, cell_mode, cell_enforced, cell_endpoint, cell_single_row, cell_tier, cell_scope
HAVING sum(raw) != sum(folded)
ORDER BY minute_start
LIMIT :row_limit
