-- Histogram of one measure over all calls of a period; one row. Buckets are grouped as in latency-by-step.
WITH arraySort(groupArrayIf((one_bucket, bucket_n), bucket_n > 0)) AS histogram
SELECT
    sum(bucket_present) AS with_value,
    sum(bucket_missing) AS without_value,
    sum(bucket_sum) AS sum_ms,
    CAST(histogram.1, 'Array(Int32)') AS buckets,
    CAST(histogram.2, 'Array(Int64)') AS counts
FROM
(
    SELECT
        one_bucket,
        sum(one_n) AS bucket_n,
        sumIf(present, place <= 1) AS bucket_present,
        sumIf(missing, place <= 1) AS bucket_missing,
        sumIf(sum, place <= 1) AS bucket_sum
    FROM {latency_total 3600}
    LEFT ARRAY JOIN bucket AS one_bucket, n AS one_n, arrayEnumerate(bucket) AS place
    WHERE measure = :measure
    GROUP BY one_bucket
)
