/** How tables are sorted, kept in the address. */
import type { View } from "../state/view";

export type Ordered = string | number | boolean | null | undefined;

export interface Sort {
  column: string;
  down: boolean;
}

export function sortOf(view: View, table: string): Sort | null {
  for (const text of view.sort) {
    const [of, column, way] = text.split(":");
    if (of === table && column !== undefined) {
      return { column, down: way === "desc" };
    }
  }
  return null;
}

/** The view after a click on a column's head: numbers begin with the largest, the third click ends it. */
export function toggled(view: View, table: string, column: string, number: boolean): View {
  const before = sortOf(view, table);
  const others = view.sort.filter((text) => !text.startsWith(`${table}:`));
  const first = number;
  if (before?.column !== column) {
    return { ...view, sort: [...others, `${table}:${column}:${first ? "desc" : "asc"}`] };
  }
  return before.down === first
    ? { ...view, sort: [...others, `${table}:${column}:${first ? "asc" : "desc"}`] }
    : { ...view, sort: others };
}

/** Sorted rows; equal ones stay as they were, and those without a value come last either way. */
export function sorted<Row>(
  rows: readonly Row[],
  by: (row: Row) => Ordered,
  down: boolean,
): Row[] {
  const missing = (value: Ordered) => value === null || value === undefined;
  return [...rows].sort((a, b) => {
    const left = by(a);
    const right = by(b);
    if (missing(left) || missing(right)) {
      return Number(missing(left)) - Number(missing(right));
    }
    const order =
      typeof left === "number" && typeof right === "number"
        ? left - right
        : String(left).localeCompare(String(right), "en", { numeric: true });
    return down ? -order : order;
  });
}
