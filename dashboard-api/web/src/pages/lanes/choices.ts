/** The lanes in the limiter's order, with all first. */
export const LANES = [
  ["all", "all lanes"],
  ["api_heavy", "api_heavy"],
  ["api_heavy_task", "api_heavy_task"],
  ["es2_knn", "es2_knn"],
  ["tier", "tier"],
  ["user", "user"],
] as const;

/** How occupancy may be split further. */
export const BY = [
  ["lane", "not split"],
  ["tier", "by tier"],
  ["task", "by API task"],
] as const;

/** Lanes whose limit holds for the whole, so that time at the limit has a meaning. */
export const INTERVAL_LANES = ["api_heavy", "api_heavy_task", "es2_knn", "tier"] as const;
