-- Calibrations, the latest first, without their results; :id_on asks for one.
SELECT
    toString(id) AS id_text,
    toInt64(revision) AS newest_revision,
    toString(state) AS state_text,
    problem,
    started_by,
    toUnixTimestamp64Milli(started_at) AS started_ms,
    toUnixTimestamp64Milli(ended_at) AS ended_ms,
    request,
    summary
FROM calibration_jobs FINAL
WHERE (:id_on = 0 OR id = toUUID(:after_id))
ORDER BY calibration_jobs.started_at DESC, id_text
LIMIT :row_limit
