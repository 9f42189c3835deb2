-- Cells of events_minute that a recount of the rows doesn't confirm, the oldest first. Errors are
-- added up over their kinds.
WITH
    ['api_heavy', 'api_heavy_task', 'es2_knn', 'tier', 'user'] AS known_lanes
SELECT
    toInt64(toUnixTimestamp(minute_start)) * 1000 AS minute_ms,
    concat('kind=', event_kind, ' value=', event_value) AS cell,
    sumIf(events, counted) AS recounted,
    sumIf(events, NOT counted) AS stored,
    count() OVER () AS differing
FROM
(
    SELECT
        true AS counted,
        minute_start,
        event.1 AS event_kind,
        event.2 AS event_value,
        toInt64(event.3) AS events
    FROM
    (
        SELECT
            toStartOfMinute(ended_at) AS minute_start,
            arrayDistinct(arrayMap(lane -> toString(lane), full)) AS lanes,
            arrayJoin(arrayConcat(
                if(empty(lanes), [], [(
                    'full_set',
                    arrayStringConcat(
                        arrayConcat(
                            arrayFilter(lane -> has(lanes, lane), known_lanes),
                            arraySort(arrayFilter(lane -> NOT has(known_lanes, lane), lanes))),
                        '+'),
                    toUInt64(1))]),
                if(isNull(error), [], [('error', '', toUInt64(1))]),
                if(ifNull(lease_lost, false), [('lease_lost', '', toUInt64(1))], []),
                if(ifNull(held_ms > 900000, false), [('held_too_long', '', toUInt64(1))], []),
                if(ifNull(log_dropped > 0, false), [('log_dropped', '', assumeNotNull(log_dropped))], []),
                arrayMap(key -> ('type_error', toString(key), toUInt64(1)), type_errors))) AS event
        FROM calls FINAL
        WHERE ended_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
          AND ended_at < fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC')
          AND time_source = 'envelope'
    )
    UNION ALL
    SELECT
        true AS counted,
        toStartOfMinute(changed_at) AS minute_start,
        change.1 AS event_kind,
        change.2 AS event_value,
        toInt64(change.3) AS events
    FROM
    (
        SELECT
            changed_at,
            arrayJoin(arrayConcat(
                if(ifNull(log_dropped > 0, false), [('log_dropped', '', assumeNotNull(log_dropped))], []),
                arrayMap(key -> ('type_error', toString(key), toUInt64(1)), type_errors))) AS change
        FROM config_changes FINAL
        WHERE changed_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
          AND changed_at < fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC')
          AND time_source = 'envelope'
    )
    UNION ALL
    SELECT
        false AS counted,
        minute AS minute_start,
        toString(kind) AS event_kind,
        if(kind = 'error', '', toString(value)) AS event_value,
        toInt64(n) AS events
    FROM events_minute FINAL
    WHERE minute >= toDateTime(fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC'), 'UTC')
      AND minute < toDateTime(fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC'), 'UTC')
)
GROUP BY minute_start, event_kind, event_value
HAVING recounted != stored
ORDER BY minute_start
LIMIT :row_limit
