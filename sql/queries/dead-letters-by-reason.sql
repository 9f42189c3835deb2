-- Lines and records set aside, by the stage that did it and the reason.
SELECT
    toString(stage) AS stage_text,
    toString(reason) AS reason_text,
    count() AS n
FROM dead_letters FINAL
GROUP BY stage_text, reason_text
ORDER BY stage_text, reason_text
