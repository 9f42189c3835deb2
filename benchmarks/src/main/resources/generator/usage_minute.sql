INSERT INTO usage_minute (minute, lines_partition, partial, tier, algorithm_class, source_class, calls,
    held, lease_ms, revision)
SELECT
    toStartOfMinute(ended_at) AS at,
    kafka_partition,
    min(kafka_offset),
    tier,
    multiIf(
        algorithm_id IS NULL, NULL,
        algorithm_id IN ('ocl-semantic', 'ocl-bridge', 'ocl-ciel-bridge'), algorithm_id,
        'other') AS by_algorithm,
    multiIf(
        request_source IS NULL, NULL,
        request_source IN ('automatch', 'mapper-row', 'tbv3'), request_source,
        'other') AS by_source,
    count(),
    count(held_ms),
    sum(ifNull(held_ms, 0)),
    2 * max(kafka_offset) + 1
FROM calls
WHERE ended_at >= toDateTime(:day_s, 'UTC') AND ended_at < toDateTime(:day_s + 86400, 'UTC')
GROUP BY at, kafka_partition, tier, by_algorithm, by_source
SETTINGS min_insert_block_size_rows = 2000000, min_insert_block_size_bytes = 0
