-- Once a minute for each source of the last deployment, for one day.
INSERT INTO pipeline_books (source, shipper, written_at, generation, lines_read, acknowledged,
    quarantined, not_ours, pending, bytes_read, behind_bytes, dropped_at_source, clock, at_end, state,
    kafka_topic, kafka_partition, kafka_offset)
SELECT
    concat('/var/log/containers/api-', :deployment, '-', toString(number % 8), '.log'),
    'benchmark',
    toDateTime64(:day_s + 60 * intDiv(number, 8), 3, 'UTC') AS at,
    1,
    (number + 8 * 1440 * :day) * 12 AS read,
    read - intDiv(read, 4),
    0,
    intDiv(read, 4),
    0,
    read * 604,
    0,
    0,
    at,
    true,
    'live',
    'ocl.capacity.books',
    number % 4,
    number + 8 * 1440 * :day
FROM numbers(8 * 1440)
