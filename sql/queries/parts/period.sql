-- Minutes of a period; whole hours of it that are added up already stand as one row each, in their first
-- minute, where a step of $step seconds can't tell them apart.
    SELECT
        hour AS minute, $columns
    FROM $hours FINAL
    WHERE hour >= toDateTime(intDiv(toInt64(:from_ms) + 3599999, 3600000) * 3600, 'UTC')
      AND hour < if(
          toInt64($step) % 3600 = 0,
          greatest(
              toDateTime(intDiv(toInt64(:from_ms) + 3599999, 3600000) * 3600, 'UTC'),
              least(
                  toDateTime(intDiv(toInt64(:to_ms), 3600000) * 3600, 'UTC'),
                  ifNull((SELECT max(built_until) FROM hours_state WHERE made_of = 1), toDateTime(0, 'UTC')))),
          toDateTime(intDiv(toInt64(:from_ms) + 3599999, 3600000) * 3600, 'UTC'))
    UNION ALL
    SELECT
        minute, $columns
    FROM $minutes FINAL
    WHERE minute >= toDateTime(fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC'), 'UTC')
      AND minute < toDateTime(fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC'), 'UTC')
      AND (minute < toDateTime(intDiv(toInt64(:from_ms) + 3599999, 3600000) * 3600, 'UTC')
        OR minute >= if(
          toInt64($step) % 3600 = 0,
          greatest(
              toDateTime(intDiv(toInt64(:from_ms) + 3599999, 3600000) * 3600, 'UTC'),
              least(
                  toDateTime(intDiv(toInt64(:to_ms), 3600000) * 3600, 'UTC'),
                  ifNull((SELECT max(built_until) FROM hours_state WHERE made_of = 1), toDateTime(0, 'UTC')))),
          toDateTime(intDiv(toInt64(:from_ms) + 3599999, 3600000) * 3600, 'UTC')))
