import { ask } from "../../api/client";
import { useResource } from "../../api/resource";
import { Chart } from "../../parts/chart";
import { chosen } from "../../parts/choice";
import { Figure, ViewLink } from "../../parts/figure";
import { Panel } from "../../parts/panel";
import { DataTable } from "../../parts/table";
import { usePlace, useTime } from "../../state/place";
import { count, decimal, groupName, share, span } from "../../text/format";
import { INTERVAL_LANES, LANES } from "./choices";

/** Time at the limit and the peak, from when each call began and ended. */
export function IntervalsPanel() {
  const { view, tick } = usePlace();
  const time = useTime();
  const wanted = chosen(view.own, "lane", LANES);
  const lane = INTERVAL_LANES.find((one) => one === wanted) ?? "api_heavy";
  const intervals = useResource(ask("/api/v1/lanes/intervals", { ...time, lane }), tick);
  return (
    <Panel
      id="intervals"
      title={`Time at the limit of ${lane}`}
      note="Exact, from when each call began and ended; of at most 8 days. The lane is chosen above."
      resource={intervals}
      wide
      remedy={(error) =>
        error.status === 400 ? (
          <ViewLink view={{ ...view, from: "-7d", to: null }} place="#intervals">
            Show the last 7 days
          </ViewLink>
        ) : null
      }
      empty={(data) => (data.lanes.length === 0 ? "No call held a lease in this period." : null)}
    >
      {(data) => (
        <>
          <DataTable
            id="intervals"
            label="Time at the limit"
            rows={data.lanes}
            rowKey={(one) => one.value ?? lane}
            columns={[
              {
                id: "value",
                title: "Lane",
                header: true,
                by: (one) => one.value,
                cell: (one) => (one.value === null ? lane : groupName(one.value)),
              },
              {
                id: "peak",
                title: "Peak in flight",
                number: true,
                by: (one) => one.peak,
                cell: (one) => (
                  <Figure id={`peak-${one.value ?? lane}`} value={one.peak}>
                    {count(one.peak)}
                  </Figure>
                ),
              },
              {
                id: "mean",
                title: "Mean",
                number: true,
                by: (one) => one.in_flight_mean,
                cell: (one) => decimal(one.in_flight_mean),
              },
              {
                id: "time",
                title: "Time at the limit",
                number: true,
                by: (one) => one.at_limit_ms,
                cell: (one) => span(one.at_limit_ms),
              },
              {
                id: "share",
                title: "Of the time",
                number: true,
                by: (one) => one.at_limit_share,
                cell: (one) => (
                  <Figure id={`at-limit-${one.value ?? lane}`} value={one.at_limit_share}>
                    {share(one.at_limit_share)}
                  </Figure>
                ),
              },
            ]}
          />
          <Chart
            label="Share of the time at the limit"
            unit="of the time"
            kind="lines"
            times={data.times}
            step={data.step}
            complete={data.complete}
            format={share}
            series={data.lanes.slice(0, COLORS.length).map((one, i) => ({
              name: one.value === null ? lane : groupName(one.value),
              points: one.series.at_limit_share,
              color: COLORS[i]!.color,
              ...(COLORS[i]!.dash === undefined ? {} : { dash: COLORS[i]!.dash }),
            }))}
          />
        </>
      )}
    </Panel>
  );
}

/** Told apart by dashes too, not by colour alone. */
const COLORS: { color: string; dash?: number[] }[] = [
  { color: "p50" },
  { color: "p95", dash: [6, 3] },
  { color: "p99", dash: [2, 2] },
  { color: "mark", dash: [8, 3, 2, 3] },
  { color: "other", dash: [1, 4] },
];
