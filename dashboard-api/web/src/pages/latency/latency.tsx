import { ask } from "../../api/client";
import { useResource } from "../../api/resource";
import { Chart } from "../../parts/chart";
import { Figure, ViewLink } from "../../parts/figure";
import { Panel } from "../../parts/panel";
import { DataTable } from "../../parts/table";
import { usePlace, useTime } from "../../state/place";
import { linkedView, withOwn } from "../../state/view";
import { count, duration, groupName, milliseconds } from "../../text/format";
import { type Measure, MEASURES, PERCENTILES } from "./measures";

const GROUPINGS = [
  ["endpoint", "endpoint"],
  ["tier", "tier"],
  ["single_row", "single row"],
  ["rows", "rows in the request"],
  ["in_flight", "calls in flight"],
] as const;

/** Percentiles of one measure: in all, by group, and over time. */
export function LatencyPanel({ measure }: { measure: Measure }) {
  const { view, navigate, tick } = usePlace();
  const time = useTime();
  const grouping = GROUPINGS.find(([value]) => value === view.own["group"]?.[0])?.[0] ?? "endpoint";
  const latency = useResource(
    ask("/api/v1/latency", { ...time, measure, group_by: grouping }),
    tick,
  );
  const { name, title, note } = MEASURES[measure];
  return (
    <Panel
      id={name}
      title={title}
      note={note}
      resource={latency}
      empty={(data) => (data.present === 0 ? "No call in this period has a value." : null)}
    >
      {(data) => (
        <>
          <DataTable
            id={name}
            label={`${title} by ${grouping}`}
            rows={data.groups}
            rowKey={(group) => groupName(group.value)}
            columns={[
              {
                id: "value",
                title: (
                  <label>
                    <span class="hidden">Group by</span>
                    <select
                      value={grouping}
                      onChange={(event) =>
                        navigate(withOwn(view, { group: [event.currentTarget.value] }))
                      }
                    >
                      {GROUPINGS.map(([value, text]) => (
                        <option key={value} value={value}>
                          by {text}
                        </option>
                      ))}
                    </select>
                  </label>
                ),
                header: true,
                cell: (group) => groupName(group.value),
              },
              {
                id: "calls",
                title: "Calls",
                number: true,
                by: (group) => group.present,
                cell: (group) => (
                  <ViewLink view={linkedView(view, group.rows)}>{count(group.present)}</ViewLink>
                ),
              },
              ...PERCENTILES.map((p) => ({
                id: p,
                title: p,
                number: true,
                by: (group: (typeof data.groups)[number]) => group[p],
                cell: (group: (typeof data.groups)[number]) => milliseconds(group[p]),
              })),
            ]}
            last={
              <tr class="total">
                <th scope="row">All</th>
                <td class="number">
                  <Figure id={`${name}-present`} value={data.present}>
                    {count(data.present)}
                  </Figure>
                </td>
                {PERCENTILES.map((p) => (
                  <td class="number wraps" key={p}>
                    <Figure id={`${name}-${p}`} value={data[p]}>
                      {rangeText(data[p], data.ranges?.[p] ?? null)}
                    </Figure>
                  </td>
                ))}
              </tr>
            }
          />
          <p class="note">
            <Figure id={`${name}-missing`} value={data.missing}>
              {count(data.missing)}
            </Figure>{" "}
            calls have no value. Per {duration(data.series.step)}:
          </p>
          <Chart
            label={`${title} over time`}
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
          />
        </>
      )}
    </Panel>
  );
}

/** A value, or the two ends between which the true one lies when the measure is biased. */
export function rangeText(
  value: number | null,
  range: { low: number | null; high: number | null } | null,
): string {
  return range === null || range.low === null || range.high === null
    ? milliseconds(value)
    : `${count(range.low)} to ${milliseconds(range.high)}`;
}
