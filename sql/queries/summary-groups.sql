-- Calls of the given sources by decision, lane reported and tier; NULL where the line had no key.
SELECT decision, scope, tier, count() AS calls
FROM calls FINAL
WHERE source IN (<sources>)
GROUP BY decision, scope, tier
