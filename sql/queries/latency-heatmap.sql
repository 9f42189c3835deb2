-- Histogram of one measure for each step of time, of some calls only.
WITH sumMap(bucket, n) AS histogram
SELECT
    intDiv(toInt64(toUnixTimestamp(minute)), toInt64(:step_s)) * toInt64(:step_s) * 1000 AS step_ms,
    CAST(histogram.1, 'Array(Int32)') AS buckets,
    CAST(histogram.2, 'Array(Int64)') AS counts
FROM latency_minute FINAL
WHERE minute >= toDateTime(fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC'), 'UTC')
  AND minute < toDateTime(fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC'), 'UTC')
  AND measure = :measure
  AND (:endpoint_on = 0 OR endpoint IN (<endpoint>))
  AND (:tier_on = 0 OR tier IN (<tier>))
  AND (:single_row_on = 0 OR toString(single_row) IN (<single_row>))
GROUP BY step_ms
ORDER BY step_ms
