-- The heartbeat of the evaluator: who it is, how far it has come in event time (NULL: nothing is
-- complete yet), and when it said so last.
SELECT
    toString(rule) AS evaluator_text,
    toString(to_state) AS state_text,
    toUnixTimestamp64Milli(firing_since) AS evaluated_ms,
    toUnixTimestamp64Milli(decided_at) AS heartbeat_ms
FROM alarm_transitions FINAL
WHERE kind = 'evaluator'
