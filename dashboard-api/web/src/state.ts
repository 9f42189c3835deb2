/** All that the page shows follows from its address; this is the address, read and written. */

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
  "missing",
  "untimed",
] as const;

export type CallFilter = (typeof CALL_FILTERS)[number];

export interface View {
  /** As the API takes it: RFC 3339, relative or now; null for all there is. */
  from: string | null;
  to: string | null;
  /** Seconds between refreshes, 0 for none. */
  refresh: number;
  filters: Partial<Record<CallFilter, string[]>>;
  cursor: string | null;
}

export const DEFAULT_REFRESH = 10;
export const REFRESH_CHOICES = [0, 5, 10, 30, 60];

export const EMPTY_VIEW: View = {
  from: null,
  to: null,
  refresh: DEFAULT_REFRESH,
  filters: {},
  cursor: null,
};

/** Reads a query string; what it doesn't know is left out. */
export function parseView(search: string): View {
  const params = new URLSearchParams(search);
  const filters: View["filters"] = {};
  for (const name of CALL_FILTERS) {
    const values = params.getAll(`f.${name}`);
    if (values.length > 0) {
      filters[name] = values;
    }
  }
  const refresh = Number(params.get("refresh") ?? DEFAULT_REFRESH);
  return {
    from: params.get("from"),
    to: params.get("to"),
    refresh: REFRESH_CHOICES.includes(refresh) ? refresh : DEFAULT_REFRESH,
    filters,
    cursor: params.get("cursor"),
  };
}

/** The query string of a view, with its ?, or "" for the plain page. */
export function formatView(view: View): string {
  const params = new URLSearchParams();
  if (view.from !== null) {
    params.set("from", view.from);
  }
  if (view.to !== null) {
    params.set("to", view.to);
  }
  if (view.refresh !== DEFAULT_REFRESH) {
    params.set("refresh", String(view.refresh));
  }
  for (const name of CALL_FILTERS) {
    for (const value of view.filters[name] ?? []) {
      params.append(`f.${name}`, value);
    }
  }
  if (view.cursor !== null) {
    params.set("cursor", view.cursor);
  }
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}

/** The address of a resource for a view's time. */
export function apiUrl(
  resource: string,
  view: View,
  more: Record<string, string | number> = {},
): string {
  const params = new URLSearchParams();
  if (view.from !== null) {
    params.set("from", view.from);
  }
  if (view.to !== null) {
    params.set("to", view.to);
  }
  for (const [name, value] of Object.entries(more)) {
    params.set(name, String(value));
  }
  const text = params.toString();
  return `api/v1/${resource}${text === "" ? "" : `?${text}`}`;
}

/** The address of the calls that a view's filters ask for. */
export function callsUrl(view: View, limit: number): string {
  const url = apiUrl("calls", view, { limit });
  const params = new URLSearchParams(url.slice(url.indexOf("?") + 1));
  for (const name of CALL_FILTERS) {
    for (const value of view.filters[name] ?? []) {
      params.append(name, value);
    }
  }
  if (view.cursor !== null) {
    params.set("cursor", view.cursor);
  }
  return `api/v1/calls?${params}`;
}

/** A view of the calls with one value of a dimension; null is those that have none. */
export function filteredView(
  view: View,
  dimension: CallFilter,
  value: string | boolean | null,
  more: View["filters"] = {},
): View {
  const own: View["filters"] =
    value === null ? { missing: [dimension] } : { [dimension]: [String(value)] };
  return { ...view, cursor: null, filters: { ...own, ...more, untimed: ["false"] } };
}
