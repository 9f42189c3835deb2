-- Calls, refusals and lease time for each value of one dimension, with the totals beside: the first
-- :row_limit values in the order asked for. A missing value is NULL. if() is as in decisions-by-group.
SELECT
    group_value,
    group_calls,
    group_refused,
    group_lease_ms,
    group_unknown,
    group_users,
    group_limit,
    first_ms,
    last_ms,
    count() OVER () AS all_values,
    countIf(group_value IS NOT NULL) OVER () AS known_values
FROM
(
    SELECT
        CAST(
            if(:group_by = 'user', toString(user_id),
            if(:group_by = 'tier', toString(tier),
            if(:group_by = 'run', automatch_run_id,
            if(:group_by = 'request_source', toString(request_source),
            if(:group_by = 'algorithm_id', toString(algorithm_id),
            if(:group_by = 'task', toString(task),
            if(:group_by = 'endpoint', toString(endpoint), NULL))))))),
            'Nullable(String)') AS group_value,
        toInt64(count()) AS group_calls,
        toInt64(countIf(decision IN ('shadow-refused', 'refused'))) AS group_refused,
        toInt64(sum(ifNull(held_ms, 0))) AS group_lease_ms,
        toInt64(countIf(held_ms IS NULL)) AS group_unknown,
        toInt64(uniqExact(user_id)) AS group_users,
        multiIf(:group_by = 'user', max(user_limit), :group_by = 'tier', max(tier_limit), NULL) AS group_limit,
        toUnixTimestamp64Milli(min(ended_at)) AS first_ms,
        toUnixTimestamp64Milli(max(ended_at)) AS last_ms
    FROM calls FINAL
    WHERE ended_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
      AND ended_at < fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC')
      AND time_source != 'read'
      AND (:tier_on = 0 OR tier IN (<tier>))
    GROUP BY group_value
)
ORDER BY
    multiIf(
        :order_by = 'calls', toFloat64(group_calls),
        :order_by = 'lease_seconds', toFloat64(group_lease_ms),
        :order_by = 'refused_share', group_refused / group_calls,
        toFloat64(group_refused)) DESC,
    group_calls DESC,
    group_value ASC NULLS LAST
LIMIT :row_limit
