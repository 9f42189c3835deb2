-- Views of the page that somebody gave a name. A change is a new revision; a removed view stays as
-- one that says so.
CREATE TABLE saved_views
(
    id       UUID,
    revision UInt64 COMMENT '1, 2, …',
    name     String,
    page     LowCardinality(String),
    query    String COMMENT 'The query of its address, without the question mark',
    removed  Bool,
    saved_by String COMMENT 'Name of the token',
    saved_at DateTime64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(revision)
ORDER BY id
SETTINGS non_replicated_deduplication_window = 10000
COMMENT 'Saved views. Read with FINAL.';
