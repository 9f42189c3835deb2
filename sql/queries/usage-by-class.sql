-- Lease-seconds by tier and classes; calls of unknown time are counted apart, never as 0.
SELECT
    toString(tier) AS tier_text,
    toString(algorithm_class) AS algorithm_text,
    toString(source_class) AS source_text,
    sum(calls) AS all_calls,
    sum(calls) - sum(held) AS of_unknown_time,
    sum(lease_ms) / 1000 AS lease_seconds
FROM {usage 3600}
GROUP BY tier_text, algorithm_text, source_text
ORDER BY lease_seconds DESC, all_calls DESC
