-- Forecasts of enforcement, the one that starts last first, withdrawn ones too.
SELECT
    toString(id) AS id_text,
    toInt64(revision) AS newest_revision,
    toUnixTimestamp64Milli(starts_at) AS starts_ms,
    withdrawn,
    toJSONString(refused_share) AS refused_share_json,
    toJSONString(refused_share_high) AS refused_share_high_json,
    toJSONString(limits) AS limits_json,
    toString(enforce_for) AS enforce_for_text,
    program,
    stored_by,
    toUnixTimestamp64Milli(stored_at) AS stored_ms
FROM forecasts FINAL
WHERE (:id_on = 0 OR id = toUUID(:after_id))
ORDER BY forecasts.starts_at DESC, forecasts.stored_at DESC, id_text
LIMIT :row_limit
