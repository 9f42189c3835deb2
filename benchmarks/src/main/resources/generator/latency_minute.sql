-- The bucket of a value: itself below 128, then 64 buckets per power of two.
INSERT INTO latency_minute (minute, lines_partition, partial, measure, endpoint, single_row, tier,
    present, missing, sum, bucket, n, revision)
SELECT
    at, kafka_partition, first_offset, measure_name, endpoint, single_row, tier,
    with_value, without_value, total, histogram.1, histogram.2, 2 * last_offset + 1
FROM
(
    SELECT
        toStartOfMinute(ended_at) AS at,
        kafka_partition,
        measured.1 AS measure_name,
        endpoint,
        single_row,
        tier,
        min(kafka_offset) AS first_offset,
        max(kafka_offset) AS last_offset,
        count(measured.2) AS with_value,
        countIf(measured.2 IS NULL) AS without_value,
        ifNull(sum(measured.2), 0) AS total,
        sumMapIf(
            [toUInt16(if(
                value < 128,
                value,
                128 + (power - 7) * 64 + intDiv(value, bitShiftLeft(toUInt64(1), power - 6)) - 64))],
            [toUInt64(1)],
            measured.2 IS NOT NULL) AS histogram
    FROM
    (
        SELECT
            ended_at, kafka_partition, kafka_offset, endpoint, single_row, tier,
            arrayJoin([
                ('held_ms', held_ms),
                ('queue_ms', queue_ms),
                ('retry_after', retry_after),
                ('suggested', suggested)]) AS measured,
            toUInt64(ifNull(measured.2, 0)) AS value,
            toUInt8(if(value < 128, 7, floor(log2(value)))) AS power
        FROM calls
        WHERE ended_at >= toDateTime(:day_s, 'UTC') AND ended_at < toDateTime(:day_s + 86400, 'UTC')
    )
    GROUP BY at, kafka_partition, measure_name, endpoint, single_row, tier
)
SETTINGS min_insert_block_size_rows = 2000000, min_insert_block_size_bytes = 0
