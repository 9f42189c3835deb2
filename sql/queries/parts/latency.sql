-- What latency_minute and latency_hour both have, for period.sql.
measure, endpoint, single_row, tier, present, missing, sum, bucket, n
