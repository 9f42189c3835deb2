/** The figures of a forecast in words, in the order in which people ask for them. */
import type { Estimate } from "../../api/schema";
import { count, decimal, milliseconds, share } from "../../text/format";

export interface Figure {
  path: string;
  title: string;
  text: (value: number) => string;
}

const seconds = (value: number) => `${decimal(value)} s`;

/** Of all calls, and of each part of them. */
export const FIGURES: Figure[] = [
  { path: "refused_calls_share", title: "Calls refused at least once", text: share },
  { path: "wait_s.mean", title: "Added wait, mean", text: seconds },
  { path: "wait_s.p95", title: "Added wait, p95", text: seconds },
  { path: "wait_s.p99", title: "Added wait, p99", text: seconds },
  { path: "given_up_share", title: "Calls given up", text: share },
  { path: "failed_share", title: "Calls failed", text: share },
  { path: "refused_attempts", title: "Refused attempts", text: count },
  { path: "attempts", title: "Attempts", text: count },
  { path: "held_ms.p50", title: "Held, p50", text: milliseconds },
  { path: "held_ms.p95", title: "Held, p95", text: milliseconds },
  { path: "queue_ms.p50", title: "Queued, p50", text: milliseconds },
  { path: "queue_ms.p95", title: "Queued, p95", text: milliseconds },
];

/** Of the whole only. */
export const WHOLE: Figure[] = [
  { path: "heavy_in_flight.p999", title: "Heavy calls in flight, p99.9", text: decimal },
  { path: "allowance.burnt_by_retries", title: "Daily allowance burnt by retries", text: count },
];

/** The 90 % interval of a value; null where there is none, or it is the value. */
export function intervalText(
  { value, low, high }: NonNullable<Estimate>,
  text: (value: number) => string,
): string | null {
  return low === null || high === null || (low === value && high === value)
    ? null
    : `${text(low)} to ${text(high)}`;
}

/** Whether two intervals have nothing in common: then a difference is more than chance. */
export function apart(one: Estimate | null | undefined, other: Estimate | null | undefined): boolean {
  if (!one || !other || one.low === null || other.low === null) {
    return false;
  }
  return one.low > (other.high ?? other.value) || other.low > (one.high ?? one.value);
}
