-- Sums over a part's rows are made anew where rows collapse at a merge.
ALTER TABLE calls
    MODIFY SETTING deduplicate_merge_projection_mode = 'rebuild';
