-- For 0031: a merge that drops doubles makes the projections anew.
ALTER TABLE pipeline_books
    MODIFY SETTING deduplicate_merge_projection_mode = 'rebuild';
