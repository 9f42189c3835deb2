-- Calls, newest first; user_id only with :personal = 1, and of the keys that this version doesn't know
-- only the names. Each filter is off unless its _on value is 1; missing_ asks for calls that have no
-- value there. after_on starts behind the row that a cursor names.
SELECT
    toString(event_id) AS event_id_text,
    if(:personal = 1, toString(user_id), NULL) AS user_text,
    toString(source) AS source_text,
    generation,
    position,
    toString(time_source) AS time_source_text,
    toString(flag) AS flag_text,
    toUnixTimestamp64Milli(ended_at) AS ended_ms,
    toUnixTimestamp64Milli(read_at) AS read_ms,
    toString(decision) AS decision_text,
    toString(mode) AS mode_text,
    enforced,
    toString(endpoint) AS endpoint_text,
    semantic,
    reranker,
    rows,
    single_row,
    toString(tier) AS tier_text,
    arrayMap(lane -> toString(lane), full) AS full_lanes,
    toString(scope) AS scope_text,
    in_flight,
    limit,
    task_in_flight,
    task_limit,
    es2_knn_in_flight,
    es2_knn_limit,
    tier_in_flight,
    tier_limit,
    user_in_flight,
    user_limit,
    suggested,
    retry_after,
    held_ms,
    queue_ms,
    lease_lost,
    error,
    toString(task) AS task_text,
    toString(request_source) AS request_source_text,
    toString(algorithm_id) AS algorithm_id_text,
    automatch_run_id,
    cid,
    log_dropped,
    arrayMap(key -> toString(key), null_keys) AS null_key_names,
    if(empty(unknown), [], JSONExtractKeys(unknown)) AS unknown_key_names
FROM calls FINAL
WHERE ended_at >= fromUnixTimestamp64Milli(toInt64(:from_ms), 'UTC')
  AND ended_at < fromUnixTimestamp64Milli(toInt64(:to_ms), 'UTC')
  AND (:after_on = 0
       OR (ended_at, event_id)
          < (fromUnixTimestamp64Milli(toInt64(:after_ms), 'UTC'), toUUID(:after_id)))
  AND (:after_on = 0 OR ended_at <= fromUnixTimestamp64Milli(toInt64(:after_ms), 'UTC'))
  AND (:untimed = 'any' OR (time_source = 'read') = (:untimed = 'only'))
  AND (:decision_on = 0 OR decision IN (<decision>))
  AND (:tier_on = 0 OR tier IN (<tier>))
  AND (:scope_on = 0 OR scope IN (<scope>))
  AND (:endpoint_on = 0 OR endpoint IN (<endpoint>))
  AND (:single_row_on = 0 OR toString(single_row) IN (<single_row>))
  AND (:mode_on = 0 OR mode IN (<mode>))
  AND (:task_on = 0 OR task IN (<task>))
  AND (:request_source_on = 0 OR request_source IN (<request_source>))
  AND (:automatch_run_id_on = 0 OR automatch_run_id IN (<automatch_run_id>))
  AND (:cid_on = 0 OR cid IN (<cid>))
  AND (:source_on = 0 OR source IN (<source>))
  AND (:algorithm_id_on = 0 OR algorithm_id IN (<algorithm_id>))
  AND (:user_id_on = 0 OR user_id IN (<user_id>))
  AND (:full_on = 0 OR hasAny(arrayMap(lane -> toString(lane), full), [<full>]))
  AND (:enforced_on = 0 OR toString(enforced) IN (<enforced>))
  AND (:lease_lost_on = 0 OR toString(ifNull(lease_lost, false)) IN (<lease_lost>))
  AND (:has_error_on = 0 OR toString(CAST(error IS NOT NULL, 'Bool')) IN (<has_error>))
  AND (:held_ms_min_on = 0 OR held_ms >= toInt64(:held_ms_min))
  AND (:held_ms_max_on = 0 OR held_ms <= toInt64(:held_ms_max))
  AND (:queue_ms_min_on = 0 OR queue_ms >= toInt64(:queue_ms_min))
  AND (:queue_ms_max_on = 0 OR queue_ms <= toInt64(:queue_ms_max))
  AND (:rows_min_on = 0 OR calls.rows >= toInt64(:rows_min))
  AND (:rows_max_on = 0 OR calls.rows <= toInt64(:rows_max))
  AND (:event_id_on = 0 OR event_id = toUUID(:event_id))
  AND (:missing_tier = 0 OR tier IS NULL)
  AND (:missing_scope = 0 OR scope IS NULL)
  AND (:missing_endpoint = 0 OR endpoint IS NULL)
  AND (:missing_single_row = 0 OR single_row IS NULL)
  AND (:missing_mode = 0 OR mode IS NULL)
  AND (:missing_task = 0 OR task IS NULL)
  AND (:missing_request_source = 0 OR request_source IS NULL)
  AND (:missing_automatch_run_id = 0 OR automatch_run_id IS NULL)
  AND (:missing_cid = 0 OR cid IS NULL)
  AND (:missing_held_ms = 0 OR held_ms IS NULL)
  AND (:missing_queue_ms = 0 OR queue_ms IS NULL)
ORDER BY calls.ended_at DESC, calls.event_id DESC
LIMIT :row_limit
