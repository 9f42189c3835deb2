import { useState } from "preact/hooks";
import type { Resource } from "../../api/resource";
import type { Estimate, Estimates, WhatIf } from "../../api/schema";
import { Figure } from "../../parts/figure";
import { Panel } from "../../parts/panel";
import { DataTable } from "../../parts/table";
import { count, duration, groupName, MISSING, share } from "../../text/format";
import { Estimated } from "./estimated";
import { apart, FIGURES, type Figure as Kind, WHOLE } from "./estimates";

const DIMENSIONS = ["tier", "endpoint", "single_row", "source"];

/** What the asked-for limits would do, beside those in force, with intervals. */
export function PredictionPanel({ whatIf }: { whatIf: Resource<WhatIf> }) {
  return (
    <Panel
      id="prediction"
      title="What would happen"
      resource={whatIf}
      wide
      note="Each with its 90 % interval. Raw shadow counts overstate: calls that would have been refused ran and held slots."
      partial={(data) =>
        data.cannot_conclude.length === 0
          ? null
          : `Nothing can be concluded from this: ${data.cannot_conclude.join(" ")}`
      }
    >
      {(data) => (
        <>
          <p class="period">
            {count(data.calls)} calls replayed {count(data.seeds)} times in {count(data.took_ms)} ms;
            enforced for {data.enforce_for === "all" ? "all clients" : "aware clients"}; shadow mode
            logged{" "}
            <Figure id="whatif-shadow" value={data.shadow_refused_share}>
              {share(data.shadow_refused_share)}
            </Figure>{" "}
            as refused. Period: {duration((Date.parse(data.to) - Date.parse(data.from)) / 1000)}.
          </p>
          <div class="stacked">
            <Comparison data={data} />
            <Parts data={data} />
          </div>
          <Findings data={data} />
        </>
      )}
    </Panel>
  );
}

function Comparison({ data }: { data: WhatIf }) {
  const rows = [
    ...FIGURES.map((kind) => row(kind, data.in_force.all, data.predicted.all)),
    ...WHOLE.map((kind) => row(kind, data.in_force.whole, data.predicted.whole)),
  ].filter((one) => one.before !== null || one.after !== null);
  return (
    <DataTable
      id="comparison"
      label="Under the limits in force and under yours"
      rows={rows}
      rowKey={(one) => one.kind.path}
      columns={[
        { id: "what", title: "Figure", header: true, cell: (one) => one.kind.title },
        {
          id: "before",
          title: "Limits in force",
          number: true,
          cell: (one) => <Estimated estimate={one.before} text={one.kind.text} />,
        },
        {
          id: "after",
          title: "Yours",
          number: true,
          cell: (one) => (
            <Figure id={`predicted-${one.kind.path}`} value={one.after?.value}>
              <Estimated estimate={one.after} text={one.kind.text} />
            </Figure>
          ),
        },
        {
          id: "intervals",
          title: <span class="hidden">Intervals</span>,
          cell: (one) => <Intervals before={one.before} after={one.after} />,
        },
        {
          id: "sure",
          title: "Differs",
          cell: (one) =>
            one.before === null || one.after === null
              ? MISSING
              : apart(one.before, one.after)
                ? one.after.value > one.before.value
                  ? "↑ surely"
                  : "↓ surely"
                : "not surely",
        },
      ]}
    />
  );
}

function row(kind: Kind, before: Estimates, after: Estimates) {
  return { kind, before: before[kind.path] ?? null, after: after[kind.path] ?? null };
}

/** Both intervals on one scale from 0: the upper in force, the lower asked for. */
function Intervals({ before, after }: { before: Estimate; after: Estimate }) {
  const most = Math.max(
    ...[before, after].flatMap((one) => (one === null ? [] : [one.value, one.high ?? 0])),
  );
  if (!(most > 0)) {
    return null;
  }
  const x = (value: number) => 2 + (value / most) * 116;
  const bar = (one: Estimate, y: number, kind: string) =>
    one === null ? null : (
      <g class={kind}>
        <line x1={x(one.low ?? one.value)} x2={x(one.high ?? one.value)} y1={y} y2={y} />
        <circle cx={x(one.value)} cy={y} r={3} />
      </g>
    );
  return (
    <svg class="intervals" viewBox="0 0 120 18" width="120" height="18" aria-hidden="true">
      {bar(before, 5, "before")}
      {bar(after, 13, "after")}
    </svg>
  );
}

function Parts({ data }: { data: WhatIf }) {
  const there = DIMENSIONS.filter((name) => data.predicted.by[name] !== undefined);
  const [dimension, setDimension] = useState("tier");
  const shown = there.includes(dimension) ? dimension : there[0];
  if (shown === undefined) {
    return null;
  }
  const after = data.predicted.by[shown] ?? {};
  const before = data.in_force.by[shown] ?? {};
  const kind = FIGURES[0]!;
  const wait = FIGURES.find((one) => one.path === "wait_s.p95")!;
  return (
    <div>
      <label class="choice">
        By{" "}
        <select value={shown} onChange={(event) => setDimension(event.currentTarget.value)}>
          {there.map((name) => (
            <option key={name} value={name}>
              {name.replaceAll("_", " ")}
            </option>
          ))}
        </select>
      </label>
      <DataTable
        id="parts"
        label={`By ${shown}`}
        rows={Object.keys(after)}
        rowKey={(value) => value}
        columns={[
          { id: "value", title: "Value", header: true, by: (v) => v, cell: (v) => groupName(v) },
          {
            id: "before",
            title: "Refused, in force",
            number: true,
            by: (v) => before[v]?.[kind.path]?.value,
            cell: (v) => <Estimated estimate={before[v]?.[kind.path]} text={kind.text} />,
          },
          {
            id: "after",
            title: "Refused, yours",
            number: true,
            by: (v) => after[v]?.[kind.path]?.value,
            cell: (v) => <Estimated estimate={after[v]?.[kind.path]} text={kind.text} />,
          },
          {
            id: "wait",
            title: "Wait p95, yours",
            number: true,
            by: (v) => after[v]?.[wait.path]?.value,
            cell: (v) => <Estimated estimate={after[v]?.[wait.path]} text={wait.text} />,
          },
        ]}
      />
    </div>
  );
}

function Findings({ data }: { data: WhatIf }) {
  return data.findings.length === 0 ? null : (
    <details>
      <summary>What is known against the evidence: {count(data.findings.length)}</summary>
      <ul class="findings">
        {data.findings.map((finding) => (
          <li key={finding.code}>
            <strong>{finding.weight}</strong> {finding.text}
          </li>
        ))}
      </ul>
    </details>
  );
}
