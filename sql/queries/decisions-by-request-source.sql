-- As decisions-by-group, for request_source as the lines have it: that is only in the calls.
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
            CAST(request_source, 'Nullable(String)') AS group_value,
            sumMap(map(toString(decision), toUInt64(1))) AS decisions,
            count() AS group_calls
        FROM calls FINAL
        WHERE ended_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
          AND ended_at < fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC')
          AND time_source != 'read'
        GROUP BY group_value
    )
)
ARRAY JOIN
    mapKeys(decisions) AS decision_name,
    mapValues(decisions) AS decision_calls
GROUP BY shown_place, shown_value, decision_name
ORDER BY shown_place = 0, shown_place, decision_name
