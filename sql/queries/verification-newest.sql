-- The newest recount; no row when there has been none.
SELECT
    toUnixTimestamp64Milli(verified_at) AS verified_ms,
    toInt64(toUnixTimestamp(period_start)) * 1000 AS period_start_ms,
    toInt64(toUnixTimestamp(period_end)) * 1000 AS period_end_ms,
    calls,
    hidden_doubles,
    in_flight,
    differing_cells,
    differences
FROM verifications
ORDER BY verified_at DESC
LIMIT 1
