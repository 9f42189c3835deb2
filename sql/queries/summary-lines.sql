-- What became of the given sources' lines, from their newest books and from what is stored.
WITH books AS
(
    SELECT
        argMax(lines_read, kafka_offset) AS read,
        argMax(not_ours, kafka_offset) AS not_ours,
        argMax(dropped_at_source, kafka_offset) AS dropped
    FROM pipeline_books FINAL
    WHERE source IN (<sources>)
    GROUP BY source
)
SELECT
    (SELECT sum(read) FROM books) AS lines_read,
    (SELECT sum(not_ours) FROM books) AS lines_not_ours,
    (SELECT count() FROM dead_letters FINAL WHERE source IN (<sources>)) AS lines_dead,
    (SELECT sum(dropped) FROM books)
        + (SELECT sum(ifNull(log_dropped, 0)) FROM calls FINAL WHERE source IN (<sources>))
        + (SELECT sum(ifNull(log_dropped, 0)) FROM config_changes FINAL WHERE source IN (<sources>))
        AS lines_dropped_at_source,
    (SELECT count() FROM config_changes FINAL WHERE source IN (<sources>)) AS config_changes,
    (SELECT count() FROM calls FINAL WHERE source IN (<sources>) AND time_source = 'read') AS untimed,
    (SELECT toUnixTimestamp64Milli(minOrNull(ended_at)) FROM calls FINAL WHERE source IN (<sources>) AND time_source = 'envelope') AS first_at,
    (SELECT toUnixTimestamp64Milli(maxOrNull(ended_at)) FROM calls FINAL WHERE source IN (<sources>) AND time_source = 'envelope') AS last_at
