-- Lines and records set aside, newest first.
SELECT
    toString(id) AS id_text,
    toString(stage) AS stage_text,
    toString(reason) AS reason_text,
    detail,
    toString(source) AS source_text,
    generation,
    position,
    toString(topic) AS topic_text,
    partition,
    offset,
    raw_base64,
    raw_length,
    raw_sha256,
    toUnixTimestamp64Milli(event_at) AS event_ms,
    toUnixTimestamp64Milli(read_at) AS read_ms
FROM dead_letters FINAL
WHERE read_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
  AND read_at < fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC')
  AND (:after_on = 0
       OR (read_at, id) < (fromUnixTimestamp64Milli(toInt64(:after_ms), 'UTC'), toUUID(:after_id)))
  AND (:stage_on = 0 OR stage IN (<stage>))
  AND (:reason_on = 0 OR reason IN (<reason>))
  AND (:source_on = 0 OR source IN (<source>))
ORDER BY dead_letters.read_at DESC, dead_letters.id DESC
LIMIT :row_limit
