-- Per minute: calls that were refused or would have been, of all.
SELECT
    toInt64(toUnixTimestamp(minute)) * 1000 AS minute_ms,
    ifNull(toString(tier), '') AS label_tier,
    ifNull(toString(endpoint), '') AS label_endpoint,
    ifNull(toString(single_row), '') AS label_single_row,
    ifNull(toString(mode), '') AS label_mode,
    ifNull(toString(enforced), '') AS label_enforced,
    toFloat64(sumIf(calls, decision IN ('refused', 'shadow-refused'))) AS part,
    toFloat64(sum(calls)) AS whole
FROM decisions_minute FINAL
WHERE minute >= toDateTime(fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC'), 'UTC')
  AND minute < toDateTime(fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC'), 'UTC')
GROUP BY minute_ms, label_tier, label_endpoint, label_single_row, label_mode, label_enforced
ORDER BY minute_ms
