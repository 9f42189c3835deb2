-- Histogram of one measure for each value of one dimension, the most frequent first; group_by none
-- gives one row for all calls. A missing value is NULL.
WITH sumMap(bucket, n) AS histogram
SELECT
    CAST(
        multiIf(
            :group_by = 'endpoint', toString(endpoint),
            :group_by = 'single_row', toString(single_row),
            :group_by = 'tier', toString(tier),
            NULL),
        'Nullable(String)') AS group_value,
    sum(present) AS with_value,
    sum(missing) AS without_value,
    sum(sum) AS sum_ms,
    CAST(histogram.1, 'Array(Int32)') AS buckets,
    CAST(histogram.2, 'Array(Int64)') AS counts
FROM {latency 3600}
WHERE measure = :measure
GROUP BY group_value
ORDER BY with_value + without_value DESC, group_value ASC NULLS LAST
LIMIT :top
