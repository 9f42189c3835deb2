-- Calls by decision for each step of time, steps counted from the epoch; steps without calls are left out.
SELECT
    intDiv(toInt64(toUnixTimestamp(minute)), toInt64(:step_s)) * toInt64(:step_s) * 1000 AS step_ms,
    toString(decision) AS decision_name,
    sum(calls) AS n
FROM {decisions :step_s}
GROUP BY step_ms, decision_name
ORDER BY step_ms, decision_name
