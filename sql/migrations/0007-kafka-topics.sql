-- The topics that this database is filled from. Rows name their place in Kafka by topic, partition
-- and offset; a topic made anew under the same name has another id and counts from 0 again.
CREATE TABLE kafka_topics
(
    topic    LowCardinality(String),
    topic_id String COMMENT 'Kafka''s own id of the topic',
    seen_at  DateTime64(3, 'UTC') DEFAULT now64(3)
)
ENGINE = ReplacingMergeTree(seen_at)
ORDER BY topic
SETTINGS non_replicated_deduplication_window = 10000
COMMENT 'Ids of the topics that rows came from. Read with FINAL.';
