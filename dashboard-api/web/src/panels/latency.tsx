import { useState } from "preact/hooks";
import type { Latency } from "../api";
import { Chart, type Mark } from "../chart";
import { count, duration, groupName, milliseconds } from "../format";
import { type Navigate, useResource } from "../hooks";
import { Figure, Panel, TableFrame, ViewLink } from "../parts";
import { apiUrl, filteredView, type View } from "../state";

const TITLES = { held_ms: "Held time", queue_ms: "Queueing delay" };
const TEST_NAMES = { held_ms: "held", queue_ms: "queue" };
const PERCENTILES = ["p50", "p95", "p99"] as const;
const GROUPINGS = [
  ["endpoint", "endpoint"],
  ["tier", "tier"],
  ["single_row", "single row"],
] as const;

/** Percentiles of one measure: in all, by group, and over time. */
export function LatencyPanel({
  measure,
  view,
  navigate,
  tick,
  marks,
  dark,
  zoom,
}: {
  measure: "held_ms" | "queue_ms";
  view: View;
  navigate: Navigate;
  tick: number;
  marks: Mark[];
  dark: boolean;
  zoom: (from: string, to: string) => void;
}) {
  const [grouping, setGrouping] = useState<"endpoint" | "tier" | "single_row">("endpoint");
  const url = apiUrl("latency", view, { measure, group_by: grouping });
  const latency = useResource<Latency>(url, tick);
  const name = TEST_NAMES[measure];
  return (
    <Panel
      id={name}
      title={TITLES[measure]}
      note={
        measure === "held_ms"
          ? "From acquire to release of the lease; calls that held none have no value."
          : "From load balancer to view. The stamp has whole seconds: every value is high by 0 to 999 ms."
      }
      api={url}
      resource={latency}
      empty={(data) => (data.present === 0 ? "No call in this period has a value." : null)}
    >
      {(data) => (
        <>
          <TableFrame label={`${TITLES[measure]} by ${grouping}`}>
            <thead>
              <tr>
                <th scope="col">
                  <label>
                    <span class="hidden">Group by</span>
                    <select
                      value={grouping}
                      onChange={(event) =>
                        setGrouping(event.currentTarget.value as typeof grouping)
                      }
                    >
                      {GROUPINGS.map(([value, text]) => (
                        <option key={value} value={value}>
                          by {text}
                        </option>
                      ))}
                    </select>
                  </label>
                </th>
                <th scope="col" class="number">
                  Calls
                </th>
                {PERCENTILES.map((p) => (
                  <th scope="col" class="number" key={p}>
                    {p}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              <tr class="total">
                <th scope="row">All</th>
                <td class="number">
                  <Figure id={`${name}-present`} value={data.present}>
                    {count(data.present)}
                  </Figure>
                </td>
                {PERCENTILES.map((p) => (
                  <td class="number" key={p}>
                    <Figure id={`${name}-${p}`} value={data[p]}>
                      {milliseconds(data[p])}
                    </Figure>
                  </td>
                ))}
              </tr>
              {data.groups.map((group) => (
                <tr key={String(group.value)}>
                  <th scope="row">{groupName(group.value)}</th>
                  <td class="number">
                    <ViewLink
                      view={filteredView(view, grouping, group.value)}
                      place="#calls"
                      navigate={navigate}
                    >
                      {count(group.present)}
                    </ViewLink>
                  </td>
                  {PERCENTILES.map((p) => (
                    <td class="number" key={p}>
                      {milliseconds(group[p])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </TableFrame>
          <p class="note">
            <Figure id={`${name}-missing`} value={data.missing}>
              {count(data.missing)}
            </Figure>{" "}
            calls have no value. Per {duration(data.series.step)}:
          </p>
          <Chart
            label={`${TITLES[measure]} over time`}
            unit="ms"
            kind="lines"
            times={data.series.times}
            step={data.series.step}
            complete={data.series.complete}
            series={[
              { name: "p50", points: data.series.p50, color: "p50" },
              { name: "p95", points: data.series.p95, color: "p95", dash: [6, 3] },
              { name: "p99", points: data.series.p99, color: "p99", dash: [2, 2] },
            ]}
            marks={marks}
            dark={dark}
            onZoom={zoom}
          />
        </>
      )}
    </Panel>
  );
}
