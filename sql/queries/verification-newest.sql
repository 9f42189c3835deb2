-- The newest recount; no row when there has been none.
SELECT
    toUnixTimestamp64Milli(verified_at) AS verified_ms,
    toInt64(toUnixTimestamp(period_start)) * 1000 AS period_start_ms,
    toInt64(toUnixTimestamp(period_end)) * 1000 AS period_end_ms,
    calls,
    differing_cells,
    arrayStringConcat(differences, '\n') AS differences_text
FROM verifications
ORDER BY verified_at DESC
LIMIT 1
