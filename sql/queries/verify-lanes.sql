-- Cells of lanes_minute that a recount of the calls doesn't confirm, the oldest first. Calls count
-- in the minute in which they ended, occupancy in each minute that they overlap: those that ended up
-- to an hour after the period may add to it. The API kills a call after ten minutes.
WITH
    toInt64(:from_ms) AS first_ms,
    toInt64(:to_ms) AS end_ms,
    ['api_heavy', 'api_heavy_task', 'es2_knn', 'tier', 'user'] AS known_lanes
SELECT
    minute_start * 1000 AS minute_ms,
    concat(
        'lane=', cell_lane,
        ' tier=', ifNull(toString(cell_tier), 'none'),
        ' task=', ifNull(toString(cell_task), 'none')) AS cell,
    toString((
        sumIf(cell_calls, cell_raw), sumIf(cell_measured, cell_raw), sumIf(cell_full, cell_raw),
        sumIf(cell_alone, cell_raw), sumIf(cell_near, cell_raw), maxIf(cell_most, cell_raw),
        minIf(cell_limit_min, cell_raw), maxIf(cell_limit_max, cell_raw),
        sumIf(cell_occupancy, cell_raw))) AS recounted,
    toString((
        sumIf(cell_calls, NOT cell_raw), sumIf(cell_measured, NOT cell_raw), sumIf(cell_full, NOT cell_raw),
        sumIf(cell_alone, NOT cell_raw), sumIf(cell_near, NOT cell_raw), maxIf(cell_most, NOT cell_raw),
        minIf(cell_limit_min, NOT cell_raw), maxIf(cell_limit_max, NOT cell_raw),
        sumIf(cell_occupancy, NOT cell_raw))) AS stored,
    count() OVER () AS differing
FROM
(
    SELECT
        true AS cell_raw,
        toInt64(intDiv(ended_ms, 60000) * 60) AS minute_start,
        seen.1 AS cell_lane,
        tier AS cell_tier,
        task AS cell_task,
        toInt64(seen.2) AS cell_calls,
        toInt64(seen.2 AND isNotNull(seen.3) AND isNotNull(seen.4)) AS cell_measured,
        toInt64(has(full, seen.1)) AS cell_full,
        toInt64(has(full, seen.1) AND length(arrayDistinct(full)) = 1) AS cell_alone,
        toInt64(seen.2 AND ifNull(seen.3 >= :near_limit_share * seen.4, false)) AS cell_near,
        if(seen.2, seen.3, NULL) AS cell_most,
        if(seen.2, seen.4, NULL) AS cell_limit_min,
        if(seen.2, seen.4, NULL) AS cell_limit_max,
        toInt64(0) AS cell_occupancy
    FROM
    (
        SELECT
            tier,
            task,
            arrayMap(lane -> toString(lane), full) AS full,
            toUnixTimestamp64Milli(ended_at) AS ended_ms,
            arrayJoin(arrayConcat(
                [
                    ('api_heavy', true, in_flight, limit),
                    ('api_heavy_task', true, task_in_flight, task_limit),
                    ('es2_knn',
                        isNotNull(es2_knn_limit) OR isNotNull(es2_knn_in_flight)
                            OR (ifNull(semantic, false) AND ifNull(endpoint, '') = '$match'),
                        es2_knn_in_flight, es2_knn_limit),
                    ('tier', true, tier_in_flight, tier_limit),
                    ('user', true, user_in_flight, user_limit)
                ],
                arrayMap(
                    lane -> (lane, true, CAST(NULL, 'Nullable(UInt32)'), CAST(NULL, 'Nullable(UInt32)')),
                    arrayFilter(
                        lane -> NOT has(known_lanes, lane),
                        arrayDistinct(arrayMap(lane -> toString(lane), full)))))) AS seen
        FROM calls FINAL
        WHERE ended_at >= fromUnixTimestamp64Milli(first_ms, 'UTC')
          AND ended_at < fromUnixTimestamp64Milli(end_ms, 'UTC')
          AND time_source = 'envelope'
    )
    WHERE seen.2 OR has(full, seen.1)
    UNION ALL
    SELECT
        true AS cell_raw,
        toInt64(overlapped * 60) AS minute_start,
        held_lane AS cell_lane,
        tier AS cell_tier,
        task AS cell_task,
        toInt64(0), toInt64(0), toInt64(0), toInt64(0), toInt64(0),
        CAST(NULL, 'Nullable(UInt32)'), CAST(NULL, 'Nullable(UInt32)'), CAST(NULL, 'Nullable(UInt32)'),
        least(released_ms, (overlapped + 1) * 60000) - greatest(acquired_ms, overlapped * 60000) AS cell_occupancy
    FROM
    (
        SELECT
            tier,
            task,
            toUnixTimestamp64Milli(ended_at) - assumeNotNull(held_ms) AS acquired_ms,
            acquired_ms + least(assumeNotNull(held_ms), 900000) AS released_ms,
            arrayJoin(if(
                isNotNull(es2_knn_limit) OR isNotNull(es2_knn_in_flight)
                    OR (ifNull(semantic, false) AND ifNull(endpoint, '') = '$match'),
                known_lanes,
                arrayFilter(lane -> lane != 'es2_knn', known_lanes))) AS held_lane,
            arrayJoin(range(
                toUInt64(intDiv(acquired_ms, 60000)),
                toUInt64(intDiv(released_ms - 1, 60000) + 1))) AS overlapped_minute,
            toInt64(overlapped_minute) AS overlapped
        FROM calls FINAL
        WHERE ended_at >= fromUnixTimestamp64Milli(first_ms, 'UTC')
          AND ended_at < fromUnixTimestamp64Milli(end_ms, 'UTC') + toIntervalHour(1)
          AND time_source = 'envelope'
          AND held_ms > 0
    )
    WHERE overlapped * 60000 >= first_ms AND overlapped * 60000 < end_ms
    UNION ALL
    SELECT
        false AS cell_raw,
        toInt64(toUnixTimestamp(minute)) AS minute_start,
        toString(lane) AS cell_lane,
        tier AS cell_tier,
        task AS cell_task,
        toInt64(calls), toInt64(measured), toInt64(full), toInt64(full_alone), toInt64(near_limit),
        in_flight_max, limit_min, limit_max, toInt64(occupancy_ms)
    FROM lanes_minute FINAL
    WHERE minute >= toDateTime(fromUnixTimestamp64Milli(first_ms, 'UTC'), 'UTC')
      AND minute < toDateTime(fromUnixTimestamp64Milli(end_ms, 'UTC'), 'UTC')
)
GROUP BY minute_start, cell_lane, cell_tier, cell_task
HAVING recounted != stored
ORDER BY minute_start
LIMIT :row_limit
