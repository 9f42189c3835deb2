import { Fragment } from "preact";
import { useState } from "preact/hooks";
import type { Call, Calls, Decisions } from "../api";
import { count, groupName, MISSING } from "../format";
import { type Navigate, type Resource, useResource } from "../hooks";
import { Panel, TableFrame, Time, ViewLink } from "../parts";
import { CALL_FILTERS, type CallFilter, callsUrl, type View } from "../state";

const PAGE_ROWS = 50;
const TYPED: [CallFilter, string][] = [
  ["request_source", "Request source"],
  ["automatch_run_id", "Run"],
  ["task", "Task"],
  ["cid", "Correlation id"],
];

/** The calls behind every number: filtered, newest first, a page at a time. */
export function CallsPanel({
  view,
  navigate,
  tick,
  lanes,
  tiers,
}: {
  view: View;
  navigate: Navigate;
  tick: number;
  lanes: Resource<Decisions>;
  tiers: Resource<Decisions>;
}) {
  const url = callsUrl(view, PAGE_ROWS);
  const calls = useResource<Calls>(url, tick);
  const filtered = Object.keys(view.filters).length > 0;
  return (
    <Panel
      id="calls"
      title="Calls"
      note="Newest first; every column is as the line has it."
      api={url}
      resource={calls}
      wide
    >
      {(data) => (
        <>
          <Filters view={view} navigate={navigate} lanes={lanes} tiers={tiers} />
          {data.calls.length === 0 ? (
            <p class="empty">{filtered ? "No call matches." : "No calls in this period."}</p>
          ) : (
            <CallTable calls={data.calls} />
          )}
          <nav class="paging" aria-label="Pages of calls">
            {view.cursor !== null && (
              <ViewLink view={{ ...view, cursor: null }} place="#calls" navigate={navigate}>
                Newest
              </ViewLink>
            )}
            {data.next_cursor !== null && (
              <ViewLink
                view={{ ...view, cursor: data.next_cursor }}
                place="#calls"
                navigate={navigate}
              >
                Older
              </ViewLink>
            )}
            <span class="quiet">{count(data.calls.length)} shown</span>
          </nav>
        </>
      )}
    </Panel>
  );
}

function Filters({
  view,
  navigate,
  lanes,
  tiers,
}: {
  view: View;
  navigate: Navigate;
  lanes: Resource<Decisions>;
  tiers: Resource<Decisions>;
}) {
  const set = (name: CallFilter, values: string[]) => {
    const filters = { ...view.filters };
    if (values.length === 0) {
      delete filters[name];
    } else {
      filters[name] = values;
    }
    navigate({ ...view, cursor: null, filters });
  };
  const choices: [CallFilter, string, string[]][] = [
    ["decision", "Decision", Object.keys(tiers.data?.totals ?? {})],
    ["tier", "Tier", names(tiers)],
    ["scope", "Lane", names(lanes)],
    ["endpoint", "Endpoint", ["$match", "$rerank"]],
    ["single_row", "Single row", ["true", "false"]],
  ];
  return (
    <form class="filters" aria-label="Filter the calls" onSubmit={(event) => event.preventDefault()}>
      {choices.map(([name, label, values]) => {
        const given = view.filters[name] ?? [];
        const all = [...new Set([...values, ...given])];
        const many = given.length > 1 ? given.join(" or ") : null;
        return (
          <label key={name}>
            {label}
            <select
              value={many ?? given[0] ?? ""}
              onChange={(event) => {
                const value = event.currentTarget.value;
                set(name, value === "" ? [] : value === many ? given : [value]);
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
      })}
      {TYPED.map(([name, label]) => (
        <label key={name}>
          {label}
          <input
            value={view.filters[name]?.[0] ?? ""}
            size={12}
            onChange={(event) => {
              const value = event.currentTarget.value.trim();
              set(name, value === "" ? [] : [value]);
            }}
          />
        </label>
      ))}
      {CALL_FILTERS.filter((name) => ["missing", "untimed", "mode", "source"].includes(name)).map(
        (name) =>
          view.filters[name] === undefined ? null : (
            <button key={name} type="button" class="chip" onClick={() => set(name, [])}>
              {chipText(name, view.filters[name] ?? [])} <span aria-hidden="true">×</span>
              <span class="hidden">remove this filter</span>
            </button>
          ),
      )}
      {Object.keys(view.filters).length > 0 && (
        <button type="button" onClick={() => navigate({ ...view, cursor: null, filters: {} })}>
          Clear
        </button>
      )}
    </form>
  );
}

function chipText(name: CallFilter, values: string[]): string {
  if (name === "untimed") {
    return values[0] === "true" ? "without a time" : "with a time";
  }
  return name === "missing" ? `no ${values.join(", no ")}` : `${name} ${values.join(" or ")}`;
}

function names(resource: Resource<Decisions>): string[] {
  return (resource.data?.groups ?? [])
    .map((group) => group.value)
    .filter((value): value is string => typeof value === "string");
}

const COLUMNS: [string, string, boolean][] = [
  ["decision", "Decision", false],
  ["tier", "Tier", false],
  ["scope", "Lane", false],
  ["endpoint", "Endpoint", false],
  ["rows", "Rows", true],
  ["held_ms", "Held, ms", true],
  ["queue_ms", "Queued, ms", true],
  ["in_flight", "In flight", true],
  ["limit", "Limit", true],
  ["request_source", "Request source", false],
  ["automatch_run_id", "Run", false],
  ["task", "Task", false],
  ["cid", "Correlation id", false],
];

function CallTable({ calls }: { calls: Call[] }) {
  const [open, setOpen] = useState<string | null>(null);
  return (
    <TableFrame label="Calls">
      <thead>
        <tr>
          <th scope="col">Ended (UTC)</th>
          {COLUMNS.map(([key, label, number]) => (
            <th scope="col" key={key} class={number ? "number" : ""}>
              {label}
            </th>
          ))}
          <th scope="col">
            <span class="hidden">All fields</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {calls.map((call) => (
          <Fragment key={call.event_id}>
            <tr data-event-id={call.event_id}>
              <td>
                <Time at={call.ended_at} />
                {call["time_source"] === "read" && <span class="quiet"> (read)</span>}
              </td>
              {COLUMNS.map(([key, , number]) => (
                <td key={key} class={number ? "number" : ""}>
                  {cell(call[key] ?? null)}
                </td>
              ))}
              <td>
                <button
                  type="button"
                  class="chip"
                  aria-expanded={open === call.event_id}
                  onClick={() => setOpen(open === call.event_id ? null : call.event_id)}
                >
                  {open === call.event_id ? "less" : "more"}
                </button>
              </td>
            </tr>
            {open === call.event_id && (
              <tr>
                <td colSpan={COLUMNS.length + 2}>
                  <dl class="fields">
                    {Object.entries(call).map(([key, value]) => (
                      <div key={key}>
                        <dt>{key}</dt>
                        <dd>{cell(value)}</dd>
                      </div>
                    ))}
                  </dl>
                </td>
              </tr>
            )}
          </Fragment>
        ))}
      </tbody>
    </TableFrame>
  );
}

function cell(value: string | number | boolean | string[] | null): string {
  if (value === null) {
    return MISSING;
  }
  if (typeof value === "number") {
    return count(value);
  }
  if (typeof value === "boolean") {
    return groupName(value);
  }
  return Array.isArray(value) ? value.join(", ") || MISSING : groupName(value);
}
