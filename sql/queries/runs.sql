-- Client runs with their calls of a stretch of time.
SELECT
    run,
    any_user,
    begin_ms,
    end_ms,
    run_calls,
    run_refused,
    run_lease_ms,
    run_unknown,
    run_endpoints,
    run_sources,
    run_tiers,
    run_tasks,
    count() OVER () AS all_runs
FROM
(
    SELECT
        automatch_run_id AS run,
        toString(any(user_id)) AS any_user,
        min(toUnixTimestamp64Milli(ended_at) - toInt64(ifNull(held_ms, 0))) AS begin_ms,
        toUnixTimestamp64Milli(max(ended_at)) AS end_ms,
        toInt64(count()) AS run_calls,
        toInt64(countIf(decision IN ('shadow-refused', 'refused'))) AS run_refused,
        toInt64(sum(ifNull(held_ms, 0))) AS run_lease_ms,
        toInt64(countIf(held_ms IS NULL)) AS run_unknown,
        arraySort(groupUniqArrayIf(20)(toString(assumeNotNull(endpoint)), endpoint IS NOT NULL)) AS run_endpoints,
        arraySort(groupUniqArrayIf(20)(toString(assumeNotNull(request_source)), request_source IS NOT NULL)) AS run_sources,
        arraySort(groupUniqArrayIf(20)(toString(assumeNotNull(tier)), tier IS NOT NULL)) AS run_tiers,
        arraySort(groupUniqArrayIf(20)(toString(assumeNotNull(task)), task IS NOT NULL)) AS run_tasks
    FROM calls FINAL
    WHERE ended_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
      AND ended_at < fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC')
      AND time_source != 'read'
      AND automatch_run_id IS NOT NULL
      AND (:run_on = 0 OR automatch_run_id IN (<run>))
      AND (:tier_on = 0 OR tier IN (<tier>))
    GROUP BY run
)
ORDER BY
    multiIf(
        :order_by = 'calls', run_calls,
        :order_by = 'refused', run_refused,
        :order_by = 'lease_seconds', run_lease_ms,
        :order_by = 'duration', end_ms - begin_ms,
        end_ms) DESC,
    run
LIMIT :row_limit
