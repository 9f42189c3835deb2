-- Saved views by name; :id_on asks for one. Removed ones too, since a change must know their revision.
SELECT
    toString(id) AS id_text,
    toInt64(revision) AS newest_revision,
    name,
    toString(page) AS page_text,
    query,
    removed,
    toUnixTimestamp64Milli(saved_at) AS saved_ms
FROM saved_views FINAL
WHERE (:id_on = 0 OR id = toUUID(:after_id))
  AND (:id_on = 1 OR NOT removed)
ORDER BY name, id_text
LIMIT :row_limit
