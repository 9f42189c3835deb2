-- The calls of one day as the job would have counted them, each Kafka partition by itself.
INSERT INTO decisions_minute (minute, lines_partition, partial, decision, mode, enforced, endpoint,
    single_row, tier, scope, source_class, calls, revision)
SELECT
    toStartOfMinute(ended_at) AS at,
    kafka_partition,
    min(kafka_offset),
    decision,
    mode,
    enforced,
    endpoint,
    single_row,
    tier,
    scope,
    multiIf(
        request_source IS NULL, NULL,
        request_source IN ('automatch', 'mapper-row', 'tbv3'), request_source,
        'other') AS class,
    count(),
    2 * max(kafka_offset) + 1
FROM calls
WHERE ended_at >= toDateTime(:day_s, 'UTC') AND ended_at < toDateTime(:day_s + 86400, 'UTC')
GROUP BY at, kafka_partition, decision, mode, enforced, endpoint, single_row, tier, scope, class
SETTINGS min_insert_block_size_rows = 2000000, min_insert_block_size_bytes = 0
