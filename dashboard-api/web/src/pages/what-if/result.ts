/**
 * A calibration's result as `capacity calibrate --format json` writes it; the API passes it through
 * without describing it. Only what this page shows; anything may be absent.
 */
import type { Estimate, Gate } from "../../api/schema";

export interface Point {
  value: number;
  refused_calls_share: number | null;
  wait_s_p95: number | null;
  [figure: string]: number | null;
}

export interface Binding {
  lane: string;
  alone: number | null;
  together: number | null;
  refused_calls_share_if_lifted: number | null;
  binds_next: string | null;
  says: string;
}

export interface Fix {
  name: string;
  title: string;
  refused_calls_share: number | null;
  wait_s_p95: number | null;
}

export interface Recommendation {
  screened: number;
  constraints: string[];
  reason: string;
  patch: object | null;
  command: string | null;
  predicted?: Record<string, Estimate>;
}

export interface Result {
  summary?: string[];
  cannot_conclude?: string[];
  curves?: Record<string, Point[]>;
  binding?: Binding[];
  what_if?: Fix[];
  recommendation?: Recommendation;
  /** With requirements only. */
  gate?: Pick<Gate, "verdict" | "requirements">;
  config?: { asked?: object };
}

/** The value at a dotted path of a nested config, when it is a number. */
export function limitAt(config: object | undefined, path: string): number | null {
  let at: unknown = config;
  for (const name of path.split(".")) {
    at = typeof at === "object" && at !== null ? (at as Record<string, unknown>)[name] : undefined;
  }
  // A section of one value is written as the value itself.
  return typeof at === "number" ? at : null;
}
