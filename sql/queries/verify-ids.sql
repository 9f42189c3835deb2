-- Whether event ids are distinct as queries see them, and how many rows are doubles that queries
-- don't see: what a repeated insert left, until ClickHouse merges it away.
SELECT
    sum(seen_rows) AS seen,
    sum(different_ids) AS distinct_ids,
    sum(stored_rows) AS stored
FROM
(
    SELECT count() AS seen_rows, toUInt64(0) AS different_ids, toUInt64(0) AS stored_rows
    FROM calls FINAL
    WHERE ended_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
      AND ended_at < fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC')
    UNION ALL
    SELECT toUInt64(0) AS seen_rows, uniqExact(event_id) AS different_ids, count() AS stored_rows
    FROM calls
    WHERE ended_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
      AND ended_at < fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC')
)
