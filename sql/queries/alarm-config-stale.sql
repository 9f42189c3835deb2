-- Per minute: calls that began over 30 s after a change of a setting and still show another value,
-- with no later change of it before they began. Calls that the limiter failed on are left out; the
-- cluster's limit is compared on single-row calls, which see it whole.
SELECT
    toInt64(toUnixTimestamp(toStartOfMinute(seen.ended))) * 1000 AS minute_ms,
    seen.setting AS label_setting,
    seen.task_text AS label_task,
    toFloat64(countIf(seen.value != change.value)) AS part,
    toFloat64(count()) AS whole
FROM
(
    SELECT
        ended_at AS ended,
        acquired_at - toIntervalSecond(30) AS settled_at,
        acquired_at AS began_at,
        ifNull(toString(task), '') AS task_text,
        pair.1 AS setting,
        pair.2 AS value
    FROM
    (
        SELECT
            ended_at,
            acquired_at,
            task,
            arrayJoin([
                ('mode', ifNull(toString(mode), '')),
                ('es2_knn', ifNull(toString(es2_knn_limit), '')),
                ('api_heavy.per_task', ifNull(toString(task_limit), '')),
                ('api_heavy.cluster', if(ifNull(single_row, false), ifNull(toString(limit), ''), '')),
                (concat('tiers.', ifNull(toString(tier), '')), ifNull(toString(tier_limit), '')),
                (concat('per_user.', ifNull(toString(tier), '')), ifNull(toString(user_limit), ''))
            ]) AS pair
        FROM calls FINAL
        WHERE ended_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
          AND ended_at < fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC')
          AND time_source != 'read'
          AND decision != 'unavailable'
    )
    WHERE pair.2 != ''
) AS seen
ASOF INNER JOIN
(
    SELECT
        setting,
        value,
        at,
        leadInFrame(at, 1, toDateTime64('2200-01-01 00:00:00', 3, 'UTC')) OVER (
            PARTITION BY setting ORDER BY at ASC ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS next_at
    FROM
    (
        SELECT
            changed_at AS at,
            told.1 AS setting,
            trim(BOTH '"' FROM JSONExtractArrayRaw(told.2)[2]) AS value
        FROM
        (
            SELECT changed_at, arrayJoin(JSONExtractKeysAndValuesRaw(changes)) AS told
            FROM config_changes FINAL
            WHERE time_source != 'read'
        )
    )
) AS change
ON seen.setting = change.setting AND seen.settled_at > change.at
WHERE change.next_at > seen.began_at
GROUP BY minute_ms, label_setting, label_task
HAVING part > 0
ORDER BY minute_ms, label_setting, label_task
