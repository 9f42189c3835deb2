-- Whether event ids are distinct as queries see them, and how many rows are doubles that queries
-- don't see: what a repeated insert left, until ClickHouse merges it away.
SELECT
    (SELECT count()
     FROM calls FINAL
     WHERE ended_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
       AND ended_at < fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC')) AS seen,
    (SELECT uniqExact(event_id)
     FROM calls
     WHERE ended_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
       AND ended_at < fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC')) AS distinct_ids,
    (SELECT count()
     FROM calls
     WHERE ended_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
       AND ended_at < fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC')) AS stored
