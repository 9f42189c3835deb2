/** What is measured in ms, in words. */
export const MEASURES = {
  held_ms: {
    name: "held",
    title: "Held time",
    note: "From acquire to release of the lease; calls that held none have no value.",
  },
  queue_ms: {
    name: "queue",
    title: "Queueing delay",
    note: "From load balancer to view. The stamp has whole seconds: every value is high by 0 to 999 ms.",
  },
} as const;

export type Measure = keyof typeof MEASURES;

export const PERCENTILES = ["p50", "p95", "p99"] as const;
