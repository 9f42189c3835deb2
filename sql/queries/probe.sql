-- Whether ClickHouse answers, and takes the settings that come with a query.
SELECT 1 AS answer
