-- Silences: alarms that nobody is told of for a while. A change is a new revision of the same id;
-- one that is ended early gets ends_at = now.
CREATE TABLE alarm_silences
(
    id         UUID,
    matchers   String COMMENT 'JSON object of label to the value it must have; alertname is the rule''s name',
    reason     String,
    created_by String COMMENT 'Who made this revision',
    starts_at  DateTime64(3, 'UTC'),
    ends_at    DateTime64(3, 'UTC'),
    revision   UInt64 COMMENT '1, 2, …',
    stored_at  DateTime64(3, 'UTC') DEFAULT now64(3)
)
ENGINE = ReplacingMergeTree(revision)
ORDER BY id
SETTINGS non_replicated_deduplication_window = 10000
COMMENT 'Silences of alarms. Read with FINAL.';
