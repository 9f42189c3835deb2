import { ask } from "../api/client";
import { type Resource, useResource } from "../api/resource";
import type { Decisions } from "../api/schema";
import { useTime } from "./place";

/** A time with both its ends. */
export interface Period {
  from: string;
  to: string;
}

/**
 * The view's time with both its ends, for resources that take no relative one; null until it is
 * known, or when there is no data. It stays as it is while the page refreshes: what takes a while to
 * work out should not start anew each few seconds.
 */
export function usePeriod(): { period: Period | null; of: Resource<Decisions> } {
  const of = useResource(ask("/api/v1/decisions", { ...useTime(), series: false }), 0);
  const { from = null, to = null } = of.data ?? {};
  return { period: from === null || to === null ? null : { from, to }, of };
}
