-- Histogram of one measure for each step of time, steps counted from the epoch.
WITH sumMap(bucket, n) AS histogram
SELECT
    intDiv(toInt64(toUnixTimestamp(minute)), toInt64(:step_s)) * toInt64(:step_s) * 1000 AS step_ms,
    sum(present) AS with_value,
    sum(missing) AS without_value,
    sum(sum) AS sum_ms,
    CAST(histogram.1, 'Array(Int32)') AS buckets,
    CAST(histogram.2, 'Array(Int64)') AS counts
FROM {latency :step_s}
WHERE measure = :measure
GROUP BY step_ms
ORDER BY step_ms
