import type { Resource } from "../../api/resource";
import type { Alarms } from "../../api/schema";
import { Figure, Time, ViewLink } from "../../parts/figure";
import { Panel } from "../../parts/panel";
import { DataTable } from "../../parts/table";
import { usePlace } from "../../state/place";
import { withOwn } from "../../state/view";
import { count, decimal, MISSING, share } from "../../text/format";

/** The gravest first; a sign beside the colour, which not everyone sees. */
const STATES = {
  firing: ["▲ firing", "firing"],
  "no-data": ["? no data", "unknown"],
  pending: ["◔ pending", "pending"],
  resolved: ["✓ resolved", "ok"],
  inactive: ["✓ inactive", "ok"],
} as const;

/** A state as a sign, a word and a colour. */
export function State({ state }: { state: keyof typeof STATES }) {
  const [text, kind] = STATES[state];
  return <span class={`state ${kind}`}>{text}</span>;
}

/** Every rule and how it stands now. */
export function AlarmsPanel({ alarms }: { alarms: Resource<Alarms> }) {
  const { view } = usePlace();
  return (
    <Panel
      id="alarms"
      title="Alarms"
      resource={alarms}
      wide
      empty={(data) =>
        data.alarms.length === 0
          ? "There is no alarm yet: write a rules file, or take a rule from a chart's menu."
          : null
      }
      partial={(data) =>
        data.evaluator_silent
          ? "No evaluator has reported for a while: these states can’t be trusted. Is capacity alarms run running?"
          : null
      }
      note={
        alarms.data === null || alarms.data.evaluated_at === null ? undefined : (
          <>
            Evaluated at <Time at={alarms.data.evaluated_at} /> UTC
          </>
        )
      }
    >
      {(data) => (
        <>
          <p class="period">
            <Figure
              id="alarms-firing"
              value={data.alarms.filter((alarm) => alarm.state === "firing").length}
            >
              {count(data.alarms.filter((alarm) => alarm.state === "firing").length)}
            </Figure>{" "}
            of {count(data.alarms.length)} firing,{" "}
            <Figure id="alarms-silenced" value={silenced(data)}>
              {count(silenced(data))}
            </Figure>{" "}
            silenced
          </p>
          <DataTable
            id="alarms"
            label="Alarms"
            rows={data.alarms}
            rowKey={(alarm) => `${alarm.rule} ${groupText(alarm.group)}`}
            columns={[
              {
                id: "state",
                title: "State",
                by: (alarm) => alarm.state,
                cell: (alarm) => <State state={alarm.state} />,
              },
              {
                id: "rule",
                title: "Rule",
                header: true,
                by: (alarm) => alarm.rule,
                cell: (alarm) => (
                  <ViewLink view={withOwn(view, { rule: [alarm.rule] })} place="#alarm-history">
                    {alarm.rule}
                  </ViewLink>
                ),
              },
              { id: "group", title: "Of", cell: (alarm) => groupText(alarm.group) || "all" },
              {
                id: "severity",
                title: "Severity",
                by: (alarm) => alarm.severity,
                cell: (alarm) => alarm.severity,
              },
              {
                id: "value",
                title: "Value",
                number: true,
                by: (alarm) => alarm.value,
                cell: (alarm) => valueText(alarm.value, alarm.unit),
              },
              {
                id: "threshold",
                title: "Threshold",
                number: true,
                by: (alarm) => alarm.threshold,
                cell: (alarm) => valueText(alarm.threshold, alarm.unit),
              },
              {
                id: "since",
                title: "Since (UTC)",
                by: (alarm) => alarm.since,
                cell: (alarm) => (alarm.since === null ? MISSING : <Time at={alarm.since} />),
              },
              {
                id: "silenced",
                title: "Silenced until (UTC)",
                by: (alarm) => alarm.silenced_until,
                cell: (alarm) =>
                  alarm.silenced_until === null ? MISSING : <Time at={alarm.silenced_until} />,
              },
              {
                id: "says",
                title: "What it says",
                cell: (alarm) => (
                  <span class="path">
                    {alarm.says}
                    <details>
                      <summary>The rule</summary>
                      <pre>{alarm.definition}</pre>
                    </details>
                  </span>
                ),
              },
            ]}
          />
        </>
      )}
    </Panel>
  );
}

function silenced(data: Alarms): number {
  return data.alarms.filter((alarm) => alarm.silenced_until !== null).length;
}

export function groupText(group: Readonly<Record<string, string>>): string {
  return Object.entries(group)
    .map(([label, value]) => `${label}: ${value}`)
    .join(", ");
}

function valueText(value: number | null, unit: string | null): string {
  if (value === null) {
    return MISSING;
  }
  return unit === "share" ? share(value) : `${decimal(value)}${unit === null ? "" : ` ${unit}`}`;
}
