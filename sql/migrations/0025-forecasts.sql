-- What calibration says that enforcement will refuse; alarms hold enforcement against it. The forecast
-- in force at a time is, of those that aren't withdrawn, the one that starts last before it. To
-- withdraw one is a new revision, and the one before is in force again.
CREATE TABLE forecasts
(
    id                 UUID,
    revision           UInt64 COMMENT '1, 2, …',
    starts_at          DateTime64(3, 'UTC') COMMENT 'Enforcement is held against it from then on',
    withdrawn          Bool,
    refused_share      Map(String, Float64) COMMENT 'all or tier.NAME to refused attempts / attempts, 0 to 1',
    refused_share_high Map(String, Float64) COMMENT 'Upper end of the 90 % interval, likewise',
    limits             Map(String, Array(UInt32)) COMMENT 'api_heavy, api_heavy_task, es2_knn, tier.NAME or user.NAME to the limits that calls see under the config it is about',
    enforce_for        LowCardinality(String) COMMENT 'all or aware',
    program            String COMMENT 'Name and version of the program that made it',
    stored_by          String COMMENT 'Who made this revision',
    stored_at          DateTime64(3, 'UTC') DEFAULT now64(3)
)
ENGINE = ReplacingMergeTree(revision)
ORDER BY id
SETTINGS non_replicated_deduplication_window = 10000
COMMENT 'Forecasts of enforcement. Read with FINAL.';
