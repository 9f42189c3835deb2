-- Lines that the application's sink says it dropped, as told by the stored calls and config changes;
-- doubles collapse by their ids. A line can claim any number: the sum stops where a signed 64-bit
-- number ends. Calls are found by the index by_dropped.
SELECT toInt64(least(ifNull(sum(toInt128(dropped)), 0), toInt128(9223372036854775807))) AS n
FROM
(
    SELECT event_id, any(log_dropped) AS dropped FROM calls WHERE ifNull(log_dropped, 0) > 0 GROUP BY event_id
    UNION ALL
    SELECT event_id, any(log_dropped) AS dropped FROM config_changes WHERE log_dropped > 0 GROUP BY event_id
)
