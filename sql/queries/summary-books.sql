-- The state of the given sources, by their newest books.
SELECT source, argMax(state, kafka_offset) AS state, argMax(acknowledged + quarantined, kafka_offset) AS kept
FROM pipeline_books FINAL
WHERE source IN (<sources>)
GROUP BY source
