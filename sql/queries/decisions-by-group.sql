-- Calls by decision for each value of one dimension. The most frequent :top values have a place of
-- their own (1, 2, …); all others share place 0. A missing value is NULL. The planner folds if() by what
-- is bound, so that one dimension is read; it doesn't fold multiIf().
SELECT
    if(place <= toUInt64(:top), place, 0) AS shown_place,
    if(place <= toUInt64(:top), group_value, NULL) AS shown_value,
    decision_name,
    sum(decision_calls) AS n,
    any(all_values) AS group_values
FROM
(
    SELECT
        group_value,
        decisions,
        row_number() OVER (ORDER BY group_calls DESC, group_value ASC NULLS LAST) AS place,
        count() OVER () AS all_values
    FROM
    (
        SELECT
            CAST(
                if(:group_by = 'tier', toString(tier),
                if(:group_by = 'scope', toString(scope),
                if(:group_by = 'endpoint', toString(endpoint),
                if(:group_by = 'single_row', toString(single_row),
                if(:group_by = 'mode', toString(mode), NULL))))),
                'Nullable(String)') AS group_value,
            sumMap(map(toString(decision), calls)) AS decisions,
            sum(calls) AS group_calls
        FROM {decisions 3600}
        GROUP BY group_value
    )
)
ARRAY JOIN
    mapKeys(decisions) AS decision_name,
    mapValues(decisions) AS decision_calls
GROUP BY shown_place, shown_value, decision_name
ORDER BY shown_place = 0, shown_place, decision_name
