-- Lines of the given sources that can be queried by now.
SELECT source, count() AS stored
FROM
(
    SELECT source FROM calls FINAL WHERE source IN (<sources>)
    UNION ALL
    SELECT source FROM config_changes FINAL WHERE source IN (<sources>)
    UNION ALL
    SELECT assumeNotNull(source) AS source FROM dead_letters FINAL WHERE source IN (<sources>)
)
GROUP BY source
