-- What each lane saw in each step of time, steps counted from the epoch, by one more dimension
-- (group_by none: all in one); the :top values with the most calls of each lane. in_flight_mean isn't
-- here: it is occupancy_ms over the step's length.
SELECT
    intDiv(toInt64(toUnixTimestamp(minute)), toInt64(:step_s)) * toInt64(:step_s) * 1000 AS step_ms,
    toString(lane) AS lane_text,
    CAST(multiIf(:group_by = 'tier', toString(tier), :group_by = 'task', toString(task), NULL), 'Nullable(String)')
        AS group_value,
    sum(calls) AS passed,
    sum(measured) AS with_numbers,
    sum(full) AS found_full,
    sum(full_alone) AS found_full_alone,
    sum(near_limit) AS found_near,
    max(in_flight_max) AS most_in_flight,
    min(limit_min) AS least_limit,
    max(limit_max) AS greatest_limit,
    sum(occupancy_ms) AS held_ms_within
FROM lanes_minute FINAL
WHERE minute >= toDateTime(fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC'), 'UTC')
  AND minute < toDateTime(fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC'), 'UTC')
  AND (:lane_on = 0 OR lane IN (<lane>))
  AND (:tier_on = 0 OR tier IN (<tier>))
  AND (:task_on = 0 OR task IN (<task>))
  AND (lane_text, ifNull(concat('=', group_value), '')) IN
  (
      SELECT ranked_lane, ranked_value
      FROM
      (
          SELECT
              toString(lane) AS ranked_lane,
              ifNull(concat('=', multiIf(:group_by = 'tier', toString(tier), :group_by = 'task', toString(task), NULL)), '')
                  AS ranked_value,
              sum(calls) AS ranked_calls
          FROM lanes_minute FINAL
          WHERE minute >= toDateTime(fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC'), 'UTC')
            AND minute < toDateTime(fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC'), 'UTC')
            AND (:lane_on = 0 OR lane IN (<lane>))
            AND (:tier_on = 0 OR tier IN (<tier>))
            AND (:task_on = 0 OR task IN (<task>))
          GROUP BY ranked_lane, ranked_value
          ORDER BY ranked_lane, ranked_calls DESC, ranked_value
          LIMIT :top BY ranked_lane
      )
  )
GROUP BY step_ms, lane_text, group_value
ORDER BY step_ms, lane_text, group_value
