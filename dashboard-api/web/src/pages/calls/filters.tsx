import { ask } from "../../api/client";
import { type Resource, useResource } from "../../api/resource";
import type { Decisions } from "../../api/schema";
import { usePlace, useTime } from "../../state/place";
import { CALL_FILTERS, type CallFilter, filtersOf, withOwn } from "../../state/view";
import { groupName } from "../../text/format";

const TYPED: [CallFilter, string][] = [
  ["request_source", "Request source"],
  ["automatch_run_id", "Run"],
  ["task", "Task"],
  ["cid", "Correlation id"],
  ["held_ms_min", "Held at least, ms"],
];

/** Filters that have no field of their own: shown when a link set them, to be removed. */
const CHIPS: CallFilter[] = [
  "missing",
  "untimed",
  "mode",
  "source",
  "algorithm_id",
  "user_id",
  "full",
  "enforced",
  "lease_lost",
  "has_error",
  "held_ms_max",
  "queue_ms_min",
  "queue_ms_max",
  "rows_min",
  "rows_max",
];

/** What the calls are filtered by, read from and written to the address. */
export function FilterForm() {
  const { view, navigate, tick } = usePlace();
  const time = useTime();
  const tiers = useResource(ask("/api/v1/decisions", { ...time, group_by: "tier", series: false }), tick);
  const lanes = useResource(ask("/api/v1/decisions", { ...time, group_by: "scope", series: false }), tick);
  const filters = filtersOf(view);
  const set = (name: CallFilter, values: readonly string[]) =>
    navigate(withOwn(view, { cursor: [], [`f.${name}`]: values }));
  const choices: [CallFilter, string, string[]][] = [
    ["decision", "Decision", Object.keys(tiers.data?.totals ?? {})],
    ["tier", "Tier", names(tiers)],
    ["scope", "Lane", names(lanes)],
    ["endpoint", "Endpoint", ["$match", "$rerank"]],
    ["single_row", "Single row", ["true", "false"]],
  ];
  return (
    <form class="filters" aria-label="Filter the calls" onSubmit={(event) => event.preventDefault()}>
      {choices.map(([name, label, values]) => (
        <Choice
          key={name}
          label={label}
          values={values}
          given={filters[name] ?? []}
          set={(chosen) => set(name, chosen)}
        />
      ))}
      {TYPED.map(([name, label]) => (
        <label key={name}>
          {label}
          <input
            value={filters[name]?.[0] ?? ""}
            size={12}
            onChange={(event) => {
              const value = event.currentTarget.value.trim();
              set(name, value === "" ? [] : [value]);
            }}
          />
        </label>
      ))}
      {CHIPS.map((name) => {
        const given = filters[name];
        return given === undefined ? null : (
          <button key={name} type="button" class="chip" onClick={() => set(name, [])}>
            {chipText(name, given)} <span aria-hidden="true">×</span>
            <span class="hidden">remove this filter</span>
          </button>
        );
      })}
      {Object.keys(filters).length > 0 && (
        <button
          type="button"
          onClick={() =>
            navigate(
              withOwn(view, {
                cursor: [],
                ...Object.fromEntries(CALL_FILTERS.map((name) => [`f.${name}`, []])),
              }),
            )
          }
        >
          Clear
        </button>
      )}
    </form>
  );
}

/** One of the values seen; several, as links may ask for, stay together until another is chosen. */
function Choice({
  label,
  values,
  given,
  set,
}: {
  label: string;
  values: readonly string[];
  given: readonly string[];
  set: (chosen: readonly string[]) => void;
}) {
  const all = [...new Set([...values, ...given])];
  const many = given.length > 1 ? given.join(" or ") : null;
  return (
    <label>
      {label}
      <select
        value={many ?? given[0] ?? ""}
        onChange={(event) => {
          const value = event.currentTarget.value;
          set(value === "" ? [] : value === many ? given : [value]);
        }}
      >
        <option value="">any</option>
        {many !== null && <option value={many}>{many}</option>}
        {all.map((value) => (
          <option key={value} value={value}>
            {groupName(value)}
          </option>
        ))}
      </select>
    </label>
  );
}

function chipText(name: CallFilter, values: readonly string[]): string {
  if (name === "untimed") {
    return values[0] === "true" ? "without a time" : "with a time";
  }
  return name === "missing"
    ? `no ${values.join(", no ")}`
    : `${name.replaceAll("_", " ")} ${values.join(" or ")}`;
}

function names(resource: Resource<Decisions>): string[] {
  return (resource.data?.groups ?? [])
    .map((group) => group.value)
    .filter((value): value is string => typeof value === "string");
}
