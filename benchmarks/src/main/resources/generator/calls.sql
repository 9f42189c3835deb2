-- Calls number :first up to :first + :count of one day. Every value comes from hashes of the seed, the
-- call's number and the value's own number, so the same arguments make the same rows.
INSERT INTO calls (
    event_id, source, generation, position, time_source, ended_at, read_at, decision, mode, enforced,
    endpoint, semantic, reranker, rows, single_row, tier, user_id, full, scope, in_flight, limit,
    task_in_flight, task_limit, es2_knn_in_flight, es2_knn_limit, tier_in_flight, tier_limit,
    user_in_flight, user_limit, suggested, retry_after, held_ms, queue_ms, lease_lost, error, task,
    request_source, algorithm_id, automatch_run_id, cid, log_dropped, unknown,
    kafka_topic, kafka_partition, kafka_offset)
WITH
    x -> cityHash64(i, :seed, x) / 18446744073709551616. AS random,
    x -> sqrt(-2 * log(random(x) + 1e-9)) * cos(2 * pi() * random(x + 100)) AS normal,
    -- Calls that a lane of this mean has in flight.
    (mean, x) -> toUInt32(greatest(0, round(mean + sqrt(mean) * normal(x)))) AS others
SELECT
    reinterpretAsUUID(sipHash128(i, :seed)) AS id,
    concat('/var/log/containers/', task_name, '.log'),
    1,
    i * 604,
    'envelope',
    at,
    at + toIntervalMillisecond(50 + toUInt32(400 * random(1))),
    multiIf(
        is_lost, 'unavailable',
        empty(full_lanes), 'admitted',
        is_enforced, 'refused',
        'shadow-refused') AS outcome,
    if(:enforcing, 'enforce', 'shadow'),
    is_enforced,
    if(is_match, '$match', '$rerank'),
    is_match,
    NOT is_match OR random(3) < 0.3,
    if(is_single, 1, 2 + toUInt32(49 * random(4))),
    is_match AND is_single,
    if(is_lost AND random(5) < 0.5, NULL, tier_name),
    user_number,
    full_lanes,
    if(empty(full_lanes), NULL, full_lanes[1]),
    if(is_lost, NULL, in_all + taken),
    if(is_lost, NULL, all_limit),
    if(is_lost, NULL, in_task + taken),
    if(is_lost, NULL, 8),
    if(is_lost OR NOT is_match, NULL, in_knn + taken),
    if(is_lost OR NOT is_match, NULL, 36),
    if(is_lost, NULL, in_tier + taken),
    if(is_lost, NULL, tier_limit_now),
    if(is_lost, NULL, in_user + taken),
    if(is_lost, NULL, user_limit_now),
    if(is_lost, NULL, 1 + toUInt32(user_limit_now * random(6))),
    if(empty(full_lanes), NULL, least(30, 5 * ahead)),
    if(is_lost OR NOT taken, NULL,
        least(600000, toUInt32(exp(if(is_single, 6.2, 7.1) + 0.8 * normal(7))))),
    if(random(8) < 0.03, NULL,
        toUInt32(999 * random(9) + exp(3 + 3 * load + 1.2 * normal(10)))),
    if(taken AND random(11) < 0.0005, true, NULL),
    if(is_lost, concat('ConnectionError: redis-', toString(i % 7), ' timed out'), NULL),
    task_name,
    source_name,
    multiIf(random(12) < 0.05, NULL, random(12) < 0.1, concat('custom-', toString(i % 40)),
        ['ocl-semantic', 'ocl-bridge', 'ocl-ciel-bridge'][1 + toUInt32(3 * random(12))]),
    if(source_name = 'automatch',
        hex(cityHash64(user_number, intDiv(i, 20000)) % 1099511627776), NULL),
    lower(hex(sipHash128(i, :seed + 1))),
    if(random(13) < 0.00001, 1 + toUInt64(20 * random(14)), NULL),
    if(random(15) < 0.001, '{"client_version":"4.2"}', ''),
    'ocl.capacity.calls',
    cityHash64(task_name) % 4,
    i
FROM
(
    SELECT
        *,
        -- On a refusal the counts are what was there; else this call is among them.
        NOT is_lost AND (empty(full_lanes) OR NOT is_enforced) AS taken,
        toUInt32(arrayMax([
            toInt64(in_all) - all_limit, toInt64(in_task) - 8,
            if(is_match, toInt64(in_knn) - 36, 0), toInt64(in_tier) - tier_limit_now,
            toInt64(in_user) - user_limit_now])) + 1 AS ahead
    FROM
    (
        SELECT
            *,
            if(is_lost, [], arrayFilter(lane -> lane != '', [
                if(in_all >= all_limit, 'api_heavy', ''),
                if(in_task >= 8, 'api_heavy_task', ''),
                if(is_match AND in_knn >= 36, 'es2_knn', ''),
                if(in_tier >= tier_limit_now, 'tier', ''),
                if(in_user >= user_limit_now, 'user', '')])) AS full_lanes
        FROM
        (
            SELECT
                *,
                others(45 * load, 20) AS in_all,
                if(is_single, 48, 44) AS all_limit,
                others(5.5 * load, 21) AS in_task,
                others(30 * load, 22) AS in_knn,
                others([4, 20, 18, 17][tier_place] * load, 23) AS in_tier,
                [48, 48, 36, 24][tier_place] AS tier_limit_now,
                toUInt32(-0.8 * log(random(24) + 1e-9)) AS in_user,
                [4, 3, 2, 1][tier_place] AS user_limit_now,
                ['staff', 'core', 'early_access', 'preview'][tier_place] AS tier_name
            FROM
            (
                SELECT
                    *,
                    [:loads][hour] AS load,
                    fromUnixTimestamp64Milli(toInt64(:day_ms + 3600000 * (hour - 1 +
                        (u - [0., :cumulated][hour]) / ([:cumulated][hour] - [0., :cumulated][hour]))), 'UTC') AS at,
                    random(30) < 0.002 AS is_lost,
                    random(31) < 0.85 AS is_match,
                    random(32) < 0.4 AS is_single,
                    -- Few users make most calls: log-uniform.
                    100 + toUInt64(pow(:users, random(33))) AS user_number,
                    toUInt8(1 + (cityHash64(user_number, 7) % 20 >= 1) + (cityHash64(user_number, 7) % 20 >= 6)
                        + (cityHash64(user_number, 7) % 20 >= 12)) AS tier_place,
                    concat('api-', :deployment, '-', toString(toUInt8(8 * random(34)))) AS task_name,
                    multiIf(
                        random(35) < 0.5, 'automatch',
                        random(35) < 0.75, 'mapper-row',
                        random(35) < 0.85, 'tbv3',
                        random(35) < 0.95, concat('script-', toString(i % 30)),
                        NULL) AS source_name,
                    :enforcing AND ifNull(source_name IN ('automatch', 'tbv3'), false) AS is_enforced
                FROM
                (
                    SELECT
                        number AS i,
                        (number - :first + cityHash64(number, :seed, 0) / 18446744073709551616.) / :count AS u,
                        arrayFirstIndex(c -> c > u, [:cumulated]) AS hour
                    FROM numbers(:first, :count)
                )
            )
        )
    )
)
SETTINGS min_insert_block_size_rows = 2000000, min_insert_block_size_bytes = 0
