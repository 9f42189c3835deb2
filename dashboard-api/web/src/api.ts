/** What the API answers; openapi.yaml says what each field means. */

export interface Counted {
  calls: number;
  refused: number;
  refused_share: number | null;
  totals: Record<string, number>;
}

export interface DecisionGroup extends Counted {
  value: string | boolean | null;
  rows: string | null;
}

export interface Decisions extends Counted {
  from: string | null;
  to: string | null;
  as_of: string;
  complete_until: string | null;
  untimed: number;
  rows: string | null;
  groups: DecisionGroup[];
  other: (Counted & { values: number }) | null;
  series: {
    step: number;
    times: string[];
    complete: boolean[];
    current_incomplete: boolean;
    calls: (number | null)[];
    refused: (number | null)[];
    refused_share: (number | null)[];
    decisions: Record<string, (number | null)[]>;
  };
}

export interface Distribution {
  present: number;
  missing: number;
  sum: number;
  mean: number | null;
  p50: number | null;
  p95: number | null;
  p99: number | null;
}

export interface LatencyGroup extends Distribution {
  value: string | boolean | null;
  rows: string | null;
}

export interface Latency extends Distribution {
  from: string | null;
  to: string | null;
  complete_until: string | null;
  measure: "held_ms" | "queue_ms";
  bias: { high_by_min: number; high_by_max: number; reason: string } | null;
  untimed: number;
  groups: LatencyGroup[];
  series: {
    step: number;
    times: string[];
    complete: boolean[];
    current_incomplete: boolean;
    p50: (number | null)[];
    p95: (number | null)[];
    p99: (number | null)[];
  };
}

export type Call = Record<string, string | number | boolean | string[] | null> & {
  event_id: string;
  ended_at: string;
};

export interface Calls {
  calls: Call[];
  next_cursor: string | null;
}

export interface ConfigChange {
  event_id: string;
  changed_at: string;
  time_source: string;
  version: number | null;
  change_source: string | null;
  mode: string | null;
  changes: Record<string, unknown> | null;
}

export interface ConfigChanges {
  config_changes: ConfigChange[];
  next_cursor: string | null;
}

export interface Source {
  source: string;
  state: string;
  silent: boolean;
  problem: string | null;
  heartbeat_age_seconds: number;
  read: number;
  not_ours: number;
  behind_bytes: number;
  rows_not_stored: number | null;
  known_until: string | null;
}

export interface Pipeline {
  as_of: string;
  complete_until: string | null;
  lines: {
    read: number;
    acknowledged: number;
    quarantined: number;
    not_ours: number;
    pending: number;
    dead: number;
    dropped_at_source: number;
  };
  dead_by_reason: { stage: string; reason: string; lines: number }[];
  lag: {
    read_behind_bytes: number;
    store_behind_rows: number | null;
    metrics_behind_calls: number;
    newest_heartbeat_age_seconds: number | null;
    silent_sources: number;
    failed_sources: number;
  };
  sources: Source[];
}

/** A problem in words: the API's own, or why it wasn't reached. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

export async function get<T>(path: string, signal: AbortSignal): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(path, { signal, headers: { accept: "application/json" } });
  } catch (error) {
    if (signal.aborted) {
      throw error;
    }
    throw new ApiError("The API can't be reached: is it still running?", 0);
  }
  if (!answer.ok) {
    throw new ApiError(await problemText(answer), answer.status);
  }
  return (await answer.json()) as T;
}

async function problemText(answer: Response): Promise<string> {
  try {
    const problem = (await answer.json()) as { title: string; detail: string };
    return `${problem.title}. ${problem.detail}.`;
  } catch {
    return `The API answered with status ${answer.status}.`;
  }
}
