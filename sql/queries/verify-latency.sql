-- Histograms of latency_minute that a recount of the calls doesn't confirm, the oldest first.
-- The bucket of a value: itself below 128, then 64 buckets per power of two.
SELECT
    toInt64(toUnixTimestamp(minute_start)) * 1000 AS minute_ms,
    concat(
        'measure=', cell_measure,
        ' endpoint=', ifNull(toString(cell_endpoint), 'none'),
        ' single_row=', ifNull(toString(cell_single_row), 'none'),
        ' tier=', ifNull(toString(cell_tier), 'none')) AS cell,
    toString((
        sumIf(cell_present, cell_raw),
        sumIf(cell_missing, cell_raw),
        sumIf(cell_sum, cell_raw))) AS recounted,
    toString((
        sumIf(cell_present, NOT cell_raw),
        sumIf(cell_missing, NOT cell_raw),
        sumIf(cell_sum, NOT cell_raw))) AS stored,
    count() OVER () AS differing
FROM
(
    SELECT
        true AS cell_raw,
        toStartOfMinute(ended_at) AS minute_start,
        measured.1 AS cell_measure,
        endpoint AS cell_endpoint,
        single_row AS cell_single_row,
        tier AS cell_tier,
        toInt64(count(measured.2)) AS cell_present,
        toInt64(countIf(measured.2 IS NULL)) AS cell_missing,
        toInt64(ifNull(sum(measured.2), 0)) AS cell_sum,
        sumMapIf(
            [toUInt16(if(
                ms < 128,
                ms,
                128 + (power - 7) * 64 + intDiv(ms, bitShiftLeft(toUInt64(1), power - 6)) - 64))],
            [toUInt64(1)],
            measured.2 IS NOT NULL) AS cell_buckets
    FROM
    (
        SELECT
            *,
            arrayJoin([
                ('held_ms', held_ms),
                ('queue_ms', queue_ms),
                ('retry_after', retry_after),
                ('suggested', suggested)]) AS measured,
            toUInt64(ifNull(measured.2, 0)) AS ms,
            toUInt8(if(ms < 128, 7, floor(log2(ms)))) AS power
        FROM calls FINAL
        WHERE ended_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
          AND ended_at < fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC')
          AND time_source = 'envelope'
    )
    GROUP BY minute_start, cell_measure, cell_endpoint, cell_single_row, cell_tier
    UNION ALL
    SELECT
        false AS cell_raw,
        minute AS minute_start,
        toString(measure) AS cell_measure,
        endpoint AS cell_endpoint,
        single_row AS cell_single_row,
        tier AS cell_tier,
        toInt64(sum(present)) AS cell_present,
        toInt64(sum(missing)) AS cell_missing,
        toInt64(sum(sum)) AS cell_sum,
        sumMap(bucket, n) AS cell_buckets
    FROM latency_minute FINAL
    WHERE minute >= toDateTime(fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC'), 'UTC')
      AND minute < toDateTime(fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC'), 'UTC')
    GROUP BY minute_start, cell_measure, cell_endpoint, cell_single_row, cell_tier
)
GROUP BY minute_start, cell_measure, cell_endpoint, cell_single_row, cell_tier
HAVING recounted != stored
    OR anyIf(cell_buckets, cell_raw) != anyIf(cell_buckets, NOT cell_raw)
ORDER BY minute_start
LIMIT :row_limit
