-- Which of some sources have any line that went through streams and is stored.
SELECT DISTINCT source_text
FROM
(
    SELECT DISTINCT toString(source) AS source_text FROM calls WHERE source IN (<sources>)
    UNION ALL
    SELECT DISTINCT toString(source) AS source_text FROM config_changes WHERE source IN (<sources>)
    UNION ALL
    SELECT DISTINCT ifNull(toString(source), '') AS source_text
    FROM dead_letters
    WHERE stage = 'streams' AND source IN (<sources>)
)
