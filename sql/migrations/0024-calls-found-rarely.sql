-- Hex does not get smaller by LZ4, and rare values are found without reading every row.
ALTER TABLE calls
    MODIFY COLUMN cid CODEC(ZSTD(1)),
    MODIFY COLUMN automatch_run_id CODEC(ZSTD(1)),
    ADD INDEX IF NOT EXISTS by_cid cid TYPE bloom_filter(0.01) GRANULARITY 1,
    ADD INDEX IF NOT EXISTS by_run automatch_run_id TYPE bloom_filter(0.01) GRANULARITY 1,
    ADD INDEX IF NOT EXISTS by_user user_id TYPE bloom_filter(0.01) GRANULARITY 1,
    ADD INDEX IF NOT EXISTS by_time_source time_source TYPE set(2) GRANULARITY 1;
