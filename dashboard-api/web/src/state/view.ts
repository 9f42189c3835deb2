/** All that the pages show follows from their address; this is the address, read and written. */

/** The pages, in the order of the navigation. */
export const PAGES = [
  "overview",
  "lanes",
  "latency",
  "people",
  "calls",
  "what-if",
  "alarms",
  "quality",
] as const;

export type PageId = (typeof PAGES)[number];

/** The filters of the calls, in the order of their form. */
export const CALL_FILTERS = [
  "decision",
  "tier",
  "scope",
  "endpoint",
  "single_row",
  "mode",
  "task",
  "request_source",
  "automatch_run_id",
  "cid",
  "source",
  "algorithm_id",
  "user_id",
  "full",
  "enforced",
  "lease_lost",
  "has_error",
  "held_ms_min",
  "held_ms_max",
  "queue_ms_min",
  "queue_ms_max",
  "rows_min",
  "rows_max",
  "missing",
  "untimed",
] as const;

export type CallFilter = (typeof CALL_FILTERS)[number];

export const isCallFilter = (name: string): name is CallFilter =>
  (CALL_FILTERS as readonly string[]).includes(name);

/** What each page keeps in the address besides the time; of each, any number of values. */
const PAGE_KEYS: Record<PageId, readonly string[]> = {
  overview: [],
  lanes: ["lane", "by"],
  latency: ["group", "endpoint", "tier"],
  people: ["by", "order", "runs"],
  calls: [...CALL_FILTERS.map((name) => `f.${name}`), "cursor", "call", "live"],
  "what-if": ["set", "enforce", "workers", "require", "job"],
  alarms: ["rule", "cursor"],
  quality: ["verify", "stage", "reason", "cursor"],
};

export interface View {
  page: PageId;
  /** As the API takes it: RFC 3339, relative or now; null for all there is. */
  from: string | null;
  to: string | null;
  /** Seconds between refreshes, 0 for none. */
  refresh: number;
  /** The page's own state, by key. */
  own: Readonly<Record<string, readonly string[]>>;
  /** How tables are sorted: TABLE:COLUMN:asc or desc. */
  sort: readonly string[];
}

export const DEFAULT_REFRESH = 10;
export const REFRESH_CHOICES = [0, 5, 10, 30, 60];

export const EMPTY_VIEW: View = {
  page: "overview",
  from: null,
  to: null,
  refresh: DEFAULT_REFRESH,
  own: {},
  sort: [],
};

/** Reads a query string; what it doesn't know is left out. */
export function parseView(search: string): View {
  const params = new URLSearchParams(search);
  const page = PAGES.find((one) => one === params.get("page")) ?? "overview";
  const own: Record<string, string[]> = {};
  for (const key of PAGE_KEYS[page]) {
    const values = params.getAll(key);
    if (values.length > 0) {
      own[key] = values;
    }
  }
  const refresh = Number(params.get("refresh") ?? DEFAULT_REFRESH);
  return {
    page,
    from: params.get("from"),
    to: params.get("to"),
    refresh: REFRESH_CHOICES.includes(refresh) ? refresh : DEFAULT_REFRESH,
    own,
    sort: params.getAll("sort").filter((text) => /^[^:]+:[^:]+:(asc|desc)$/.test(text)),
  };
}

/** The query string of a view, with its ?, or "" for the plain page. */
export function formatView(view: View): string {
  const params = new URLSearchParams();
  if (view.page !== "overview") {
    params.set("page", view.page);
  }
  if (view.from !== null) {
    params.set("from", view.from);
  }
  if (view.to !== null) {
    params.set("to", view.to);
  }
  if (view.refresh !== DEFAULT_REFRESH) {
    params.set("refresh", String(view.refresh));
  }
  for (const key of PAGE_KEYS[view.page]) {
    for (const value of view.own[key] ?? []) {
      params.append(key, value);
    }
  }
  for (const one of view.sort) {
    params.append("sort", one);
  }
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}

/** Another page about the same time. */
export function onPage(view: View, page: PageId, own: View["own"] = {}): View {
  return { ...view, page, own, sort: [] };
}

/** The same page with a part of its own state changed; no values remove it. */
export function withOwn(view: View, changes: Record<string, readonly string[]>): View {
  const own = { ...view.own, ...changes };
  return { ...view, own: Object.fromEntries(Object.entries(own).filter(([, v]) => v.length > 0)) };
}

/** Another time; what is bound to the old one, such as a place in a list, is left. */
export function withTime(view: View, from: string | null, to: string | null): View {
  return withOwn({ ...view, from, to }, { cursor: [] });
}

export type Filters = Partial<Record<CallFilter, readonly string[]>>;

/** The calls' filters in a view. */
export function filtersOf(view: View): Filters {
  const filters: Filters = {};
  for (const name of CALL_FILTERS) {
    const values = view.own[`f.${name}`];
    if (values !== undefined) {
      filters[name] = values;
    }
  }
  return filters;
}

/** The calls of the view's time that match filters. */
export function callsView(view: View, filters: Filters): View {
  return onPage(
    view,
    "calls",
    Object.fromEntries(Object.entries(filters).map(([name, values]) => [`f.${name}`, values])),
  );
}

/** The calls that a number over the minutes counts: those with one value of a dimension; null is none. */
export function rowsView(
  view: View,
  dimension: CallFilter,
  value: string | boolean | null,
  more: Filters = {},
): View {
  const own: Filters = value === null ? { missing: [dimension] } : { [dimension]: [String(value)] };
  return callsView(view, { ...own, ...more, untimed: ["false"] });
}

/**
 * The view of an API's link to rows, such as /api/v1/calls?tier=core: the same rows on the page.
 * Null when there is no link, or it asks for what the page can't show.
 */
export function linkedView(view: View, rows: string | null): View | null {
  if (rows === null) {
    return null;
  }
  const params = new URLSearchParams(rows.slice(rows.indexOf("?") + 1));
  const filters: Record<string, string[]> = {};
  for (const name of new Set(params.keys())) {
    if (isCallFilter(name)) {
      filters[name] = params.getAll(name);
    } else if (name !== "from" && name !== "to") {
      return null;
    }
  }
  return callsView({ ...view, from: params.get("from"), to: params.get("to") }, filters);
}

/** The refused ones among the rows that an answer names. */
export function refusedAmong(rows: string | null): string | null {
  return rows === null || rows.includes("decision=")
    ? null
    : `${rows}&decision=shadow-refused&decision=refused`;
}

const SPANS: Record<string, number> = { m: 60, h: 3_600, d: 86_400, s: 1, w: 604_800 };

/** Seconds of a relative time such as -15m; null when it isn't one. */
export function relativeSeconds(text: string | null): number | null {
  const [, amount, unit] = /^-(\d+)([smhdw])$/.exec(text ?? "") ?? [];
  return amount === undefined || unit === undefined ? null : Number(amount) * SPANS[unit]!;
}

const second = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");

/**
 * The time moved by a part of its length, or made longer about its middle.
 *
 * @param shown the times that the answer was about, which a relative range has too
 */
export function movedTime(
  view: View,
  shown: { from: string; to: string },
  { by = 0, grow = 1 }: { by?: number; grow?: number },
): View {
  const from = Date.parse(shown.from);
  const to = Date.parse(shown.to);
  const length = Math.max(60_000, to - from);
  const middle = (from + to) / 2 + by * length;
  return withTime(view, second(middle - (length * grow) / 2), second(middle + (length * grow) / 2));
}
