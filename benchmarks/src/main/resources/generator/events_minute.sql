INSERT INTO events_minute (minute, lines_partition, partial, kind, value, n, revision)
SELECT
    toStartOfMinute(ended_at) AS at,
    kafka_partition,
    min(kafka_offset),
    event.1,
    event.2,
    sum(event.3),
    2 * max(kafka_offset) + 1
FROM
(
    SELECT
        ended_at,
        kafka_partition,
        kafka_offset,
        arrayJoin(arrayFilter(e -> e.3 > 0, [
            ('full_set', arrayStringConcat(full, '+'), toUInt64(notEmpty(full))),
            ('error', splitByChar(':', ifNull(error, ''))[1], toUInt64(error IS NOT NULL)),
            ('lease_lost', '', toUInt64(ifNull(lease_lost, false))),
            ('log_dropped', '', ifNull(log_dropped, 0))])) AS event
    FROM calls
    WHERE ended_at >= toDateTime(:day_s, 'UTC') AND ended_at < toDateTime(:day_s + 86400, 'UTC')
)
GROUP BY at, kafka_partition, event.1, event.2
SETTINGS min_insert_block_size_rows = 2000000, min_insert_block_size_bytes = 0
