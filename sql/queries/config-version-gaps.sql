-- Config versions that no line told, though lines told of earlier and of later ones. One row for
-- each gap.
SELECT
    before + 1 AS first_missing,
    version - 1 AS last_missing,
    toUnixTimestamp64Milli(changed_at) AS noticed_ms
FROM
(
    SELECT
        version,
        min(changed_at) AS changed_at,
        lagInFrame(version, 1, version) OVER (ORDER BY version) AS before
    FROM config_changes FINAL
    WHERE version IS NOT NULL
    GROUP BY version
)
WHERE version > before + 1
ORDER BY version
