-- Silences that hadn't ended at a time, and those that ended in the time before it from from_ms on;
-- the one that ends last first.
SELECT
    toString(id) AS id_text,
    matchers,
    reason,
    created_by,
    toUnixTimestamp64Milli(starts_at) AS starts_ms,
    toUnixTimestamp64Milli(ends_at) AS ends_ms,
    revision
FROM alarm_silences FINAL
WHERE ends_at > fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
ORDER BY ends_at DESC, id
LIMIT :row_limit
