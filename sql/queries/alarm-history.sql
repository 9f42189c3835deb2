-- Transitions of the alarms in a stretch of event time, newest first; of some rules or of all.
SELECT
    toString(id) AS id_text,
    toString(rule) AS rule_text,
    labels,
    toString(severity) AS severity_text,
    toString(from_state) AS from_text,
    toString(to_state) AS to_text,
    toUnixTimestamp64Milli(event_at) AS event_ms,
    toUnixTimestamp64Milli(decided_at) AS decided_ms,
    toUnixTimestamp64Milli(firing_since) AS firing_since_ms,
    value,
    calls,
    summary,
    toJSONString(deliveries) AS deliveries_json
FROM alarm_transitions FINAL
WHERE kind = 'transition'
  AND event_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
  AND event_at < fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC')
  AND (:rule_on = 0 OR rule IN (<rule>))
  AND (:after_on = 0
       OR (event_at, id) < (fromUnixTimestamp64Milli(toInt64(:after_ms), 'UTC'), toUUID(:after_id)))
ORDER BY event_at DESC, id DESC
LIMIT :row_limit
