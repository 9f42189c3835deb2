-- What became of each series of each alarm rule, one row per transition. The same transition is
-- written again with a higher revision when a delivery of it is decided. The newest transition of a
-- series is its state. One row of kind evaluator, at the epoch, is the evaluator's own heartbeat.
CREATE TABLE alarm_transitions
(
    kind         LowCardinality(String) COMMENT 'transition, or evaluator: the heartbeat of the one that evaluates',
    id           UUID COMMENT 'Identity: hash of rule, labels, event time and the state entered',
    rule         LowCardinality(String) COMMENT 'Name of the rule; of kind evaluator: the evaluator''s identity',
    labels       String COMMENT 'JSON object of the series'' labels, keys ascending',
    severity     LowCardinality(String) COMMENT 'The rule''s label severity: page, ticket or info',
    from_state   LowCardinality(String) COMMENT 'inactive, pending, firing, resolved or no-data',
    to_state     LowCardinality(String) COMMENT 'Likewise',
    event_at     DateTime64(3, 'UTC') COMMENT 'Event time: end of the minute that decided it',
    decided_at   DateTime64(3, 'UTC') COMMENT 'Wall clock',
    firing_since Nullable(DateTime64(3, 'UTC')) COMMENT 'Event time at which the alarm began to fire, while it fires and when it is resolved',
    value        Nullable(Float64) COMMENT 'The metric''s value; NULL when it had none',
    calls        Nullable(UInt64) COMMENT 'Calls that the value rests on; NULL where it rests on none',
    summary      String COMMENT 'The rule''s summary, filled in',
    deliveries   Map(String, String) COMMENT 'Receiver to pending, delivered, given-up, silenced or late (found so late that nobody was told)',
    revision     UInt64,
    stored_at    DateTime('UTC') DEFAULT now()
)
ENGINE = ReplacingMergeTree(revision)
ORDER BY (kind, event_at, id)
TTL stored_at + INTERVAL 2 YEAR
SETTINGS non_replicated_deduplication_window = 10000
COMMENT 'Transitions of the alarms. Read with FINAL.';
