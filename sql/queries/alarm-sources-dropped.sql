-- Per minute of the books: lines that the application's sink dropped, as lines that aren't ours say.
-- A row that is stored twice changes nothing: it adds no step.
SELECT
    toInt64(toUnixTimestamp(toStartOfMinute(at))) * 1000 AS minute_ms,
    label_source,
    toFloat64(sum(newly)) AS part,
    toFloat64(0) AS whole
FROM
(
    SELECT
        toString(source) AS label_source,
        written_at AS at,
        greatest(0, toInt64(dropped_at_source) - toInt64(lagInFrame(dropped_at_source, 1, dropped_at_source) OVER (
            PARTITION BY source ORDER BY written_at ASC, kafka_offset ASC
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW))) AS newly
    FROM pipeline_books
    WHERE written_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC') - INTERVAL 1 HOUR
      AND written_at < fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC')
)
WHERE newly > 0
  AND at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
GROUP BY minute_ms, label_source
ORDER BY minute_ms, label_source
