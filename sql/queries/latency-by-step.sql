-- Distribution of one measure for each step of time, steps counted from the epoch; percentiles by nearest
-- rank, as the buckets that hold them, null where no call has a value. Buckets are grouped as rows, which
-- costs half of sumMap over arrays; what a row says once is taken at its first bucket.
WITH
    arraySort(groupArrayIf((one_bucket, bucket_n), bucket_n > 0)) AS histogram,
    arrayCumSum(histogram.2) AS up_to,
    p -> if(
        empty(histogram),
        NULL,
        toInt32(histogram.1[arrayFirstIndex(rank -> rank >= ceil(p * up_to[-1]), up_to)])) AS bucket_at
SELECT
    step_ms,
    sum(bucket_present) AS with_value,
    sum(bucket_missing) AS without_value,
    sum(bucket_sum) AS sum_ms,
    bucket_at(0.5) AS p50_bucket,
    bucket_at(0.95) AS p95_bucket,
    bucket_at(0.99) AS p99_bucket
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
