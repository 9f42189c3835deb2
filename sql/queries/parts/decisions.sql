-- What decisions_minute and decisions_hour both have, for period.sql.
decision, mode, enforced, endpoint, single_row, tier, scope, source_class, calls
