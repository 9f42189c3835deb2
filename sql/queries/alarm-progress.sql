-- Up to when minutes may be judged: complete over all partitions (NULL where one has nothing complete),
-- and the heartbeats of the sources that haven't ended.
SELECT
    partitions,
    complete_ms,
    occupancy_complete_ms,
    source_text,
    heartbeat_ms
FROM
(
    SELECT
        count() AS partitions,
        if(countIf(complete_until IS NULL) > 0, NULL, toUnixTimestamp64Milli(min(complete_until))) AS complete_ms,
        if(countIf(occupancy_complete_until IS NULL) > 0, NULL, toUnixTimestamp64Milli(min(occupancy_complete_until))) AS occupancy_complete_ms
    FROM minutes_state FINAL
) AS minutes
CROSS JOIN
(
    SELECT
        toString(source) AS source_text,
        toUnixTimestamp64Milli(argMax(written_at, kafka_offset)) AS heartbeat_ms,
        toString(argMax(state, kafka_offset)) AS state_text
    FROM pipeline_books
    GROUP BY source
    HAVING state_text != 'ended'
) AS books
ORDER BY source_text
