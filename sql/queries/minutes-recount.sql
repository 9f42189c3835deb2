-- Calls that the minutes should hold, and calls that they do hold.
SELECT
    (SELECT count() FROM calls FINAL WHERE time_source = 'envelope') AS in_calls,
    (SELECT sum(calls) FROM decisions_minute FINAL) AS in_minutes
