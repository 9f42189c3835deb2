-- How often each kind of rare things occurred in a stretch of time, and unavailable calls with them.
SELECT toString(kind) AS kind_text, toInt64(sum(n)) AS times
FROM {events 3600}
WHERE kind != 'full_set'
GROUP BY kind_text
UNION ALL
SELECT 'unavailable' AS kind_text, toInt64(sum(calls)) AS times
FROM {decisions 3600}
WHERE decision = 'unavailable'
