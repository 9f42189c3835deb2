import type { Resource } from "../../api/resource";
import type { Lanes } from "../../api/schema";
import { Bar, Figure, ViewLink } from "../../parts/figure";
import { Panel } from "../../parts/panel";
import { DataTable } from "../../parts/table";
import { usePlace } from "../../state/place";
import { linkedView } from "../../state/view";
import { count, decimal, MISSING, share } from "../../text/format";

/** Each lane in a row: how often full, how much of its limit is used. */
export function LanesPanel({ lanes }: { lanes: Resource<Lanes> }) {
  const { view } = usePlace();
  return (
    <Panel
      id="lanes"
      title="Lanes"
      note="A call meets every lane it passes; full is what it found on arrival. Alone: no other lane was full for that call, so raising this limit alone would let it in."
      resource={lanes}
      wide
      empty={(data) => (data.lanes.length === 0 ? "No call passed a lane in this period." : null)}
      alarm={{
        name: "LaneFull",
        metric: "lane_full_share",
        filters: { lane: "api_heavy" },
        threshold: 0.5,
        share: true,
        summary: "Lane api_heavy is full for {{ $value }} of calls",
      }}
    >
      {(data) => (
        <DataTable
          id="lanes"
          label="Lanes"
          rows={data.lanes}
          rowKey={(lane) => lane.lane}
          columns={[
            { id: "lane", title: "Lane", header: true, by: (l) => l.lane, cell: (l) => l.lane },
            {
              id: "calls",
              title: "Calls",
              number: true,
              by: (l) => l.calls,
              cell: (l) => (
                <Figure id={`lane-${l.lane}-calls`} value={l.calls}>
                  {count(l.calls)}
                </Figure>
              ),
            },
            {
              id: "full",
              title: "Found it full",
              number: true,
              by: (l) => l.full,
              cell: (l) => (
                <ViewLink view={linkedView(view, l.rows)}>
                  <Figure id={`lane-${l.lane}-full`} value={l.full}>
                    {count(l.full)}
                  </Figure>
                </ViewLink>
              ),
            },
            {
              id: "share",
              title: "Share",
              number: true,
              by: (l) => l.full_share,
              cell: (l) => share(l.full_share),
            },
            {
              id: "bar",
              title: <span class="hidden">Bar</span>,
              cell: (l) => <Bar fraction={l.full_share} kind="shadow-refused" />,
            },
            {
              id: "alone",
              title: "Alone",
              number: true,
              by: (l) => l.full_alone,
              cell: (l) => (
                <Figure id={`lane-${l.lane}-alone`} value={l.full_alone}>
                  {count(l.full_alone)}
                </Figure>
              ),
            },
            {
              id: "together",
              title: "With others",
              number: true,
              by: (l) => l.full_together,
              cell: (l) => count(l.full_together),
            },
            {
              id: "mean",
              title: "In flight, mean",
              number: true,
              by: (l) => l.in_flight_mean,
              cell: (l) => decimal(l.in_flight_mean),
            },
            {
              id: "peak",
              title: "Most seen",
              number: true,
              by: (l) => l.in_flight_max,
              cell: (l) => count(l.in_flight_max),
            },
            {
              id: "limit",
              title: "Limit",
              number: true,
              by: (l) => l.limit_max,
              cell: (l) => limitText(l.limit_min, l.limit_max),
            },
            {
              id: "occupancy",
              title: "Of its limit",
              number: true,
              by: (l) => l.occupancy_share,
              cell: (l) => share(l.occupancy_share),
            },
          ]}
        />
      )}
    </Panel>
  );
}

/** A limit, or the two ends when it changed or differs by caller. */
export function limitText(least: number | null, most: number | null): string {
  if (least === null || most === null) {
    return MISSING;
  }
  return least === most ? count(most) : `${count(least)} to ${count(most)}`;
}
