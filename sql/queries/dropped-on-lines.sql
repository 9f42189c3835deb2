-- Lines that the application's sink says it dropped, as told by the stored calls and config changes.
SELECT sum(part) AS n
FROM
(
    SELECT sum(ifNull(log_dropped, 0)) AS part
    FROM calls FINAL
    UNION ALL
    SELECT sum(ifNull(log_dropped, 0)) AS part
    FROM config_changes FINAL
)
