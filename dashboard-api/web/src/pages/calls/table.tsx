import type { Call } from "../../api/schema";
import { Time, ViewLink } from "../../parts/figure";
import { type Column, DataTable } from "../../parts/table";
import { usePlace } from "../../state/place";
import { withOwn } from "../../state/view";
import { count, groupName, MISSING } from "../../text/format";

const FIELDS: [keyof Call & string, string, boolean][] = [
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

/** Calls a row each, with the way to each one's story. */
export function CallTable({ calls }: { calls: readonly Call[] }) {
  const { view } = usePlace();
  const open = view.own["call"]?.[0];
  const columns: Column<Call>[] = [
    {
      id: "more",
      title: "Story",
      cell: (call) => (
        <span data-testid="story">
          <ViewLink
            view={withOwn(view, { call: [call.event_id] })}
            place="#story"
            label={`The story of the call that ended at ${call.ended_at}`}
            current={open === call.event_id}
          >
            story
          </ViewLink>
        </span>
      ),
    },
    {
      id: "ended",
      title: "Ended (UTC)",
      cell: (call) => (
        <>
          <Time at={call.ended_at} />
          {call.time_source === "read" && <span class="quiet"> (read)</span>}
        </>
      ),
    },
    ...FIELDS.map(([key, title, number]) => ({
      id: key,
      title,
      number,
      cell: (call: Call) => fieldText(call[key]),
    })),
  ];
  return (
    <DataTable
      id="calls"
      label="Calls"
      columns={columns}
      rows={calls}
      rowKey={(call) => call.event_id}
    />
  );
}

/** Every field of a call, under the name it has in the line. */
export function AllFields({ call }: { call: Call }) {
  return (
    <dl class="fields">
      {Object.entries(call).map(([key, value]) => (
        <div key={key}>
          <dt>{key}</dt>
          <dd>{fieldText(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

export function fieldText(value: unknown): string {
  if (value === null || value === undefined) {
    return MISSING;
  }
  if (typeof value === "number") {
    return count(value);
  }
  if (typeof value === "boolean" || typeof value === "string") {
    return groupName(value);
  }
  return Array.isArray(value) ? value.map(String).join(", ") || MISSING : JSON.stringify(value);
}
