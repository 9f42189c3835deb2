import type { ComponentChildren } from "preact";
import { usePlace } from "../state/place";
import { type Ordered, type Sort, sorted, sortOf, toggled } from "./sort";

/** A table that scrolls sideways by itself where the screen is narrow. */
export function TableFrame({
  label,
  tall = false,
  children,
}: {
  label: string;
  /** Whether it also scrolls down by itself, when it is long. */
  tall?: boolean;
  children: ComponentChildren;
}) {
  return (
    <div
      class={tall ? "table-frame tall" : "table-frame"}
      role="region"
      aria-label={label}
      tabIndex={0}
    >
      <table>{children}</table>
    </div>
  );
}

export interface Column<Row> {
  id: string;
  title: ComponentChildren;
  /** Whether its values are numbers, which stand right. */
  number?: boolean;
  /** Names the row. */
  header?: boolean;
  /** What to sort by; a column without can't be sorted by. */
  by?: (row: Row) => Ordered;
  cell: (row: Row) => ComponentChildren;
}

/** A table whose columns sort it; how is in the address. Without a choice, rows stay as given. */
export function DataTable<Row>({
  id,
  label,
  columns,
  rows,
  rowKey,
  tall = false,
  last,
}: {
  id: string;
  label: string;
  columns: Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  tall?: boolean;
  /** Rows that stay last however it is sorted. */
  last?: ComponentChildren;
}) {
  const { view, navigate } = usePlace();
  const sort = sortOf(view, id);
  const by = columns.find((column) => column.id === sort?.column)?.by;
  const shown = sort === null || by === undefined ? rows : sorted(rows, by, sort.down);
  return (
    <TableFrame label={label} tall={tall}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th
              key={column.id}
              scope="col"
              class={column.number === true ? "number" : ""}
              {...(sort?.column === column.id
                ? { "aria-sort": sort.down ? "descending" : "ascending" }
                : {})}
            >
              {column.by === undefined ? (
                column.title
              ) : (
                <button
                  type="button"
                  class="sort"
                  onClick={() => navigate(toggled(view, id, column.id, column.number === true))}
                >
                  {column.title}
                  <span aria-hidden="true">{arrow(sort, column.id)}</span>
                </button>
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {shown.map((row) => (
          <tr key={rowKey(row)} data-row={rowKey(row)}>
            {columns.map((column) =>
              column.header === true ? (
                <th scope="row" key={column.id}>
                  {column.cell(row)}
                </th>
              ) : (
                <td key={column.id} class={column.number === true ? "number" : ""}>
                  {column.cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
        {last}
      </tbody>
    </TableFrame>
  );
}

function arrow(sort: Sort | null, column: string): string {
  return sort?.column !== column ? " ↕" : sort.down ? " ↓" : " ↑";
}
