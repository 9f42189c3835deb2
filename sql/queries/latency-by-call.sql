-- As latency-by-group, for dimensions that only the calls have: rows in powers of two, named by the
-- least, and in_flight. The bucket of a value: itself below 128, then 64 buckets per power of two.
WITH sumMapIf(
    [toUInt16(if(ms < 128, ms, 128 + (power - 7) * 64 + intDiv(ms, bitShiftLeft(toUInt64(1), power - 6)) - 64))],
    [toUInt64(1)],
    has_value) AS histogram
SELECT
    group_value,
    countIf(has_value) AS with_value,
    countIf(NOT has_value) AS without_value,
    sum(ms) AS sum_ms,
    CAST(histogram.1, 'Array(Int32)') AS buckets,
    CAST(histogram.2, 'Array(Int64)') AS counts
FROM
(
    SELECT
        CAST(
            if(
                :group_by = 'rows',
                toString(if(rows = 0, 0, exp2(floor(log2(rows))))),
                toString(in_flight)),
            'Nullable(String)') AS group_value,
        if(:measure = 'held_ms', held_ms, queue_ms) IS NOT NULL AS has_value,
        toUInt64(ifNull(if(:measure = 'held_ms', held_ms, queue_ms), 0)) AS ms,
        toUInt8(if(ms < 128, 7, floor(log2(ms)))) AS power
    FROM calls FINAL
    WHERE ended_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
      AND ended_at < fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC')
      AND time_source != 'read'
)
GROUP BY group_value
ORDER BY toUInt64OrZero(ifNull(group_value, '0')), group_value IS NULL
LIMIT :top
