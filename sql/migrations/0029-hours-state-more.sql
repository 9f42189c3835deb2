-- Hours that were made before a table per hour was added lack it: they are made anew.
ALTER TABLE hours_state
    ADD COLUMN IF NOT EXISTS made_of UInt8 DEFAULT 0 COMMENT 'Which set of tables per hour was made; only the newest is read' AFTER built_until;
