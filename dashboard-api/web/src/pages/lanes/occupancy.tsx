import type { Resource } from "../../api/resource";
import type { Lanes } from "../../api/schema";
import { Chart } from "../../parts/chart";
import { Choice } from "../../parts/choice";
import { Time } from "../../parts/figure";
import { Panel } from "../../parts/panel";
import { count, decimal, duration, groupName } from "../../text/format";
import { BY, LANES } from "./choices";

const MOST_CHARTS = 12;

/** Calls in flight against the limit over time, a chart for each lane or part of one. */
export function OccupancyPanel({ lanes }: { lanes: Resource<Lanes> }) {
  return (
    <Panel
      id="occupancy"
      title="Occupancy against the limit"
      resource={lanes}
      wide
      note="Mean: from when calls began and ended. Most: what a call saw on arrival. A limit seen by several kinds of calls is drawn at its highest."
      empty={(data) => (data.lanes.length === 0 ? "No call passed this lane in this period." : null)}
      partial={(data) =>
        data.lanes.length > MOST_CHARTS
          ? `The ${MOST_CHARTS} of ${count(data.lanes.length)} with the most calls are drawn.`
          : null
      }
    >
      {(data) => (
        <>
          <div class="choices">
            <Choice label="Lane" name="lane" options={LANES} />
            <Choice label="Split" name="by" options={BY} />
            <span class="quiet">
              per {duration(data.step)}
              {data.occupancy_complete_until !== null && (
                <>
                  ; means complete until <Time at={data.occupancy_complete_until} />
                </>
              )}
            </span>
          </div>
          <div class="multiples">
            {data.lanes.slice(0, MOST_CHARTS).map((lane) => {
              const name =
                data.group_by === null ? lane.lane : `${lane.lane}, ${groupName(lane.value)}`;
              return (
                <div key={name}>
                  <h3>{name}</h3>
                  <Chart
                    label={`Occupancy of ${name}`}
                    unit="calls in flight"
                    kind="lines"
                    height={180}
                    times={data.times}
                    step={data.step}
                    complete={data.complete}
                    format={decimal}
                    series={[
                      { name: "mean", points: lane.series.in_flight_mean, color: "p50" },
                      {
                        name: "most",
                        points: lane.series.in_flight_max,
                        color: "p95",
                        dash: [2, 3],
                      },
                      {
                        name: "limit",
                        points: lane.series.limit_max,
                        color: "limit",
                        dash: [8, 4],
                        steps: true,
                      },
                    ]}
                  />
                </div>
              );
            })}
          </div>
        </>
      )}
    </Panel>
  );
}
