-- Where each series of each alarm rule stands: its newest transition. Series that never left
-- inactive have none. undelivered counts receivers that could not be told.
SELECT
    id_text,
    rule_text,
    labels,
    severity_text,
    to_text AS state_text,
    from_text,
    event_ms,
    decided_ms,
    firing_since_ms,
    value,
    calls,
    summary,
    deliveries_json,
    undelivered
FROM
(
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
        toJSONString(deliveries) AS deliveries_json,
        arrayCount(state -> state = 'given-up', mapValues(deliveries)) AS undelivered
    FROM alarm_transitions FINAL
    WHERE kind = 'transition'
    ORDER BY event_at DESC, decided_at DESC
    LIMIT 1 BY rule, labels
)
ORDER BY state_text = 'firing' DESC, state_text = 'no-data' DESC, state_text = 'pending' DESC, event_ms DESC, rule_text, labels
LIMIT :row_limit
