-- Per minute: calls with a queue_ms of 6 s or more, of those that have one. Bucket 477 begins at
-- 5,952 ms and bucket 478 at 6,016: calls count from 6,016 ms on.
SELECT
    toInt64(toUnixTimestamp(minute)) * 1000 AS minute_ms,
    ifNull(toString(endpoint), '') AS label_endpoint,
    ifNull(toString(single_row), '') AS label_single_row,
    ifNull(toString(tier), '') AS label_tier,
    toFloat64(sum(arraySum(arrayMap((b, k) -> if(b >= 478, k, 0), bucket, n)))) AS part,
    toFloat64(sum(present)) AS whole
FROM latency_minute FINAL
WHERE minute >= toDateTime(fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC'), 'UTC')
  AND minute < toDateTime(fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC'), 'UTC')
  AND measure = 'queue_ms'
GROUP BY minute_ms, label_endpoint, label_single_row, label_tier
ORDER BY minute_ms
