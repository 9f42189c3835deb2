-- Histogram of one measure for each value of one dimension, the most frequent first. A missing value is NULL.
-- Buckets are grouped as in latency-by-step, if() is as in decisions-by-group.
WITH arraySort(groupArrayIf((one_bucket, bucket_n), bucket_n > 0)) AS histogram
SELECT
    group_value,
    sum(bucket_present) AS with_value,
    sum(bucket_missing) AS without_value,
    sum(bucket_sum) AS sum_ms,
    CAST(histogram.1, 'Array(Int32)') AS buckets,
    CAST(histogram.2, 'Array(Int64)') AS counts
FROM
(
    SELECT
        CAST(
            if(:group_by = 'endpoint', toString(endpoint),
            if(:group_by = 'single_row', toString(single_row),
            if(:group_by = 'tier', toString(tier), NULL))),
            'Nullable(String)') AS group_value,
        one_bucket,
        sum(one_n) AS bucket_n,
        sumIf(present, place <= 1) AS bucket_present,
        sumIf(missing, place <= 1) AS bucket_missing,
        sumIf(sum, place <= 1) AS bucket_sum
    FROM {latency 3600}
    LEFT ARRAY JOIN bucket AS one_bucket, n AS one_n, arrayEnumerate(bucket) AS place
    WHERE measure = :measure
    GROUP BY group_value, one_bucket
)
GROUP BY group_value
ORDER BY with_value + without_value DESC, group_value ASC NULLS LAST
LIMIT :top
