-- What lanes_minute and lanes_hour both have, for period.sql.
lane, tier, task, calls, measured, full, full_alone, near_limit, in_flight_max, limit_min, limit_max,
        occupancy_ms
