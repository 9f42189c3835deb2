-- What latency_minute and latency_total_hour both have, for period.sql: all but the dimensions.
measure, present, missing, sum, bucket, n
