-- Calls of the next day reach back into this one by the time they held. No call is held for longer
-- than 600 s here, so each overlaps the minute that it ends in and those before.
INSERT INTO lanes_minute (minute, lines_partition, partial, lane, tier, task, calls, measured, full,
    full_alone, near_limit, in_flight_max, limit_min, limit_max, occupancy_ms, revision)
SELECT
    toDateTime(minute_s, 'UTC') AS at,
    kafka_partition,
    min(kafka_offset),
    passed.1 AS lane_name,
    tier,
    task,
    countIf(ends_here),
    countIf(ends_here AND passed.2 IS NOT NULL AND passed.3 IS NOT NULL),
    countIf(ends_here AND has(full, lane_name)),
    countIf(ends_here AND full = [lane_name]),
    countIf(ends_here AND ifNull(passed.2 >= 0.8 * passed.3, false)),
    maxIf(passed.2, ends_here),
    minIf(passed.3, ends_here),
    maxIf(passed.3, ends_here),
    sum(held_here_ms),
    2 * max(kafka_offset) + 1
FROM
(
    SELECT
        *,
        arrayJoin([
            ('api_heavy', in_flight, limit),
            ('api_heavy_task', task_in_flight, task_limit),
            ('es2_knn', es2_knn_in_flight, es2_knn_limit),
            ('tier', tier_in_flight, tier_limit),
            ('user', user_in_flight, user_limit)]) AS passed
    FROM
    (
        SELECT
            kafka_partition, kafka_offset, tier, task, full, semantic, endpoint, in_flight, limit,
            task_in_flight, task_limit, es2_knn_in_flight, es2_knn_limit, tier_in_flight, tier_limit,
            user_in_flight, user_limit,
            toUnixTimestamp64Milli(ended_at) AS end_ms,
            end_ms - ifNull(held_ms, 0) AS start_ms,
            arrayJoin(range(intDiv(start_ms, 60000) * 60, intDiv(end_ms, 60000) * 60 + 60, 60)) AS minute_s,
            minute_s = intDiv(end_ms, 60000) * 60 AS ends_here,
            least(end_ms, (minute_s + 60) * 1000) - greatest(start_ms, minute_s * 1000) AS held_here_ms
        FROM calls
        WHERE ended_at >= toDateTime(:day_s, 'UTC') AND ended_at < toDateTime(:day_s + 87000, 'UTC')
    )
    WHERE minute_s < :day_s + 86400 AND minute_s >= :day_s
)
WHERE passed.1 != 'es2_knn' OR passed.2 IS NOT NULL OR ifNull(semantic AND endpoint = '$match', false)
GROUP BY at, kafka_partition, lane_name, tier, task
SETTINGS min_insert_block_size_rows = 2000000, min_insert_block_size_bytes = 0
