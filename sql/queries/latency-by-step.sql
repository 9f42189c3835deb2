-- Histogram of one measure for each step of time, steps counted from the epoch. Buckets are grouped as rows,
-- which costs half of sumMap over arrays; what a row says once is taken at its first bucket.
WITH arraySort(groupArrayIf((one_bucket, bucket_n), bucket_n > 0)) AS histogram
SELECT
    step_ms,
    sum(bucket_present) AS with_value,
    sum(bucket_missing) AS without_value,
    sum(bucket_sum) AS sum_ms,
    CAST(histogram.1, 'Array(Int32)') AS buckets,
    CAST(histogram.2, 'Array(Int64)') AS counts
FROM
(
    SELECT
        intDiv(toInt64(toUnixTimestamp(minute)), toInt64(:step_s)) * toInt64(:step_s) * 1000 AS step_ms,
        one_bucket,
        sum(one_n) AS bucket_n,
        sumIf(present, place <= 1) AS bucket_present,
        sumIf(missing, place <= 1) AS bucket_missing,
        sumIf(sum, place <= 1) AS bucket_sum
    FROM {latency_total :step_s}
    LEFT ARRAY JOIN bucket AS one_bucket, n AS one_n, arrayEnumerate(bucket) AS place
    WHERE measure = :measure
    GROUP BY step_ms, one_bucket
)
GROUP BY step_ms
ORDER BY step_ms
