-- The result of a calibration.
SELECT result, report
FROM calibration_jobs FINAL
WHERE id = toUUID(:after_id)
