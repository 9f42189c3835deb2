-- How often each value of one kind of rare things occurred, most frequent first.
SELECT
    toString(value) AS value_text,
    sum(n) AS times
FROM {events 3600}
WHERE kind = :kind
GROUP BY value_text
ORDER BY times DESC, value_text
