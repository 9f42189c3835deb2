-- Nearest-rank percentiles of the given sources' calls, in ms; groupArray leaves NULLs out.
WITH
    arraySort(groupArray(held_ms)) AS held,
    arraySort(groupArray(queue_ms)) AS queue
SELECT
    length(held) AS held_n,
    held[toUInt64(ceil(0.50 * held_n))] AS held_p50,
    held[toUInt64(ceil(0.95 * held_n))] AS held_p95,
    held[toUInt64(ceil(0.99 * held_n))] AS held_p99,
    length(queue) AS queue_n,
    queue[toUInt64(ceil(0.50 * queue_n))] AS queue_p50,
    queue[toUInt64(ceil(0.95 * queue_n))] AS queue_p95,
    queue[toUInt64(ceil(0.99 * queue_n))] AS queue_p99
FROM calls FINAL
WHERE source IN (<sources>)
