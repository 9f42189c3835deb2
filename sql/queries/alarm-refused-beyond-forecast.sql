-- Per minute of enforcement and group (all, tier.NAME): refused calls beyond what the upper end of the
-- forecast in force allows, of all calls. Minutes without a forecast have no row, nor have those in
-- which calls saw other limits than the forecast is about.
WITH
    known AS
    (
        SELECT
            1 AS one,
            starts_at,
            argMax(refused_share_high, stored_at) AS high,
            argMax(limits, stored_at) AS limits_meant
        FROM
        (
            SELECT starts_at, stored_at, refused_share_high, limits
            FROM forecasts FINAL
            WHERE NOT withdrawn
        )
        GROUP BY starts_at
    ),
    other_limits AS
    (
        SELECT DISTINCT seen.at AS at
        FROM
        (
            SELECT
                1 AS one,
                toDateTime64(minute, 3, 'UTC') AS at,
                multiIf(lane = 'tier', concat('tier.', ifNull(tier, '')),
                        lane = 'user', concat('user.', ifNull(tier, '')),
                        toString(lane)) AS limit_name,
                ifNull(limit_min, 0) AS least,
                ifNull(limit_max, 0) AS most
            FROM lanes_minute FINAL
            WHERE minute >= toDateTime(fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC'), 'UTC')
              AND minute < toDateTime(fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC'), 'UTC')
              AND isNotNull(limit_max)
        ) AS seen
        ASOF INNER JOIN known ON seen.one = known.one AND seen.at >= known.starts_at
        WHERE mapContains(known.limits_meant, seen.limit_name)
          AND NOT (has(known.limits_meant[seen.limit_name], seen.least)
              AND has(known.limits_meant[seen.limit_name], seen.most))
    )
SELECT
    toInt64(toUnixTimestamp64Milli(counted.at)) AS minute_ms,
    counted.name AS label_group,
    toFloat64(counted.refused) - known.high[counted.name] * counted.n AS part,
    toFloat64(counted.n) AS whole
FROM
(
    SELECT
        1 AS one,
        toDateTime64(minute, 3, 'UTC') AS at,
        arrayJoin(if(isNull(tier), ['all'], ['all', concat('tier.', ifNull(tier, ''))])) AS name,
        sumIf(calls, decision = 'refused') AS refused,
        sum(calls) AS n
    FROM decisions_minute FINAL
    WHERE minute >= toDateTime(fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC'), 'UTC')
      AND minute < toDateTime(fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC'), 'UTC')
      AND mode = 'enforce'
    GROUP BY at, name
) AS counted
ASOF INNER JOIN known ON counted.one = known.one AND counted.at >= known.starts_at
WHERE mapContains(known.high, counted.name)
  AND counted.at NOT IN (SELECT at FROM other_limits)
ORDER BY minute_ms, label_group
