-- What events_minute and events_hour both have, for period.sql.
kind, value, n
