-- Lines that the application's sink says it dropped, as told by the stored calls and config changes.
-- A line can claim any number: the sum stops where a signed 64-bit number ends.
SELECT toInt64(least(sum(part), toInt128(9223372036854775807))) AS n
FROM
(
    SELECT sum(toInt128(ifNull(log_dropped, 0))) AS part
    FROM calls FINAL
    UNION ALL
    SELECT sum(toInt128(ifNull(log_dropped, 0))) AS part
    FROM config_changes FINAL
)
