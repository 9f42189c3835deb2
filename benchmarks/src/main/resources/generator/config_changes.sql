-- A change every three days: the tier of previews goes up and down.
INSERT INTO config_changes (event_id, source, generation, position, time_source, changed_at, read_at,
    version, changed_by, change_source, note, mode, changes, kafka_topic, kafka_partition, kafka_offset)
SELECT
    reinterpretAsUUID(sipHash128(number, :seed, 'change')),
    '/var/log/containers/api-0-0.log',
    1,
    number * 300,
    'envelope',
    fromUnixTimestamp64Milli(toInt64((:day_s + number * 3 * 86400 + 36000) * 1000), 'UTC') AS at,
    at + toIntervalMillisecond(100),
    number + 1,
    'operator',
    'api',
    'benchmark',
    if(number * 3 >= :enforced_from_day, 'enforce', 'shadow'),
    if(number % 2 = 0, '{"tiers.preview":[24,22]}', '{"tiers.preview":[22,24]}'),
    'ocl.capacity.config-changes',
    0,
    number
FROM numbers(intDiv(:days, 3))
