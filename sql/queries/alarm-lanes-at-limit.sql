-- Per minute: ms for which a lane held as many calls as its limit or more, of all ms, from the calls'
-- own intervals. The limit is the greatest that the 50 events before saw, since calls that may not use
-- the reserve see a smaller one. Calls of up to 15 min that end after the stretch are looked at too.
SELECT
    slice * 60000 AS minute_ms,
    label_lane,
    label_tier,
    label_task,
    toFloat64(sum(if(at_limit, least(until_ms, (slice + 1) * 60000) - greatest(at_ms, slice * 60000), 0))) AS part,
    toFloat64(sum(least(until_ms, (slice + 1) * 60000) - greatest(at_ms, slice * 60000))) AS whole
FROM
(
    SELECT
        label_lane,
        label_tier,
        label_task,
        at_ms,
        until_ms,
        limit_then > 0 AND in_flight >= limit_then AS at_limit,
        arrayJoin(range(intDiv(at_ms, 60000), intDiv(until_ms - 1, 60000) + 1)) AS slice
    FROM
    (
        SELECT
            label_lane,
            label_tier,
            label_task,
            at_ms,
            sum(delta) OVER (PARTITION BY label_lane, label_tier, label_task ORDER BY at_ms ASC, delta ASC
                ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS in_flight,
            ifNull(max(limit_seen) OVER (PARTITION BY label_lane, label_tier, label_task ORDER BY at_ms ASC, delta ASC
                ROWS BETWEEN 50 PRECEDING AND CURRENT ROW), 0) AS limit_then,
            leadInFrame(at_ms, 1, at_ms) OVER (PARTITION BY label_lane, label_tier, label_task ORDER BY at_ms ASC, delta ASC
                ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS until_ms
        FROM
        (
            SELECT
                lane.1 AS label_lane,
                lane.2 AS label_tier,
                lane.3 AS label_task,
                arrayJoin([
                    (toUnixTimestamp64Milli(acquired_at), 1),
                    (toUnixTimestamp64Milli(ended_at), -1),
                    (toInt64(:from_ms), 0),
                    (toInt64(:to_ms), 0)
                ]) AS event,
                event.1 AS at_ms,
                event.2 AS delta,
                lane.4 AS limit_seen
            FROM calls FINAL
            ARRAY JOIN [
                ('api_heavy', '', '', limit),
                ('api_heavy_task', '', ifNull(toString(task), ''), task_limit),
                ('es2_knn', '', '', es2_knn_limit),
                ('tier', ifNull(toString(tier), ''), '', tier_limit)
            ] AS lane
            WHERE ended_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
              AND ended_at < fromUnixTimestamp64Milli(toInt64(:to_ms) + 900000, 'UTC')
              AND time_source != 'read'
              AND held_ms IS NOT NULL
              AND lane.4 IS NOT NULL
        )
    )
    WHERE until_ms > at_ms
)
WHERE minute_ms >= toInt64(:from_ms) AND minute_ms < toInt64(:to_ms)
GROUP BY minute_ms, label_lane, label_tier, label_task
ORDER BY minute_ms, label_lane, label_tier, label_task
