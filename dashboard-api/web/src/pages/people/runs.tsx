import { ask } from "../../api/client";
import { useResource } from "../../api/resource";
import { Choice, chosen } from "../../parts/choice";
import { Figure, Time, ViewLink } from "../../parts/figure";
import { Panel } from "../../parts/panel";
import { DataTable } from "../../parts/table";
import { usePlace, useTime } from "../../state/place";
import { linkedView, refusedAmong } from "../../state/view";
import { count, decimal, MISSING, share, span } from "../../text/format";

const ORDER = [
  ["latest", "latest"],
  ["calls", "most calls"],
  ["refused", "most refused"],
  ["lease_seconds", "most lease time"],
  ["duration", "longest"],
] as const;

const ROWS = 50;

/** Client runs: how long each took, and how much of it was refused. */
export function RunsPanel() {
  const { view, tick } = usePlace();
  const time = useTime();
  const order = chosen(view.own, "runs", ORDER);
  const runs = useResource(ask("/api/v1/runs", { ...time, order, limit: ROWS }), tick);
  return (
    <Panel
      id="runs"
      title="Runs"
      resource={runs}
      wide
      note="From when a run's first call was acquired to when its last ended."
      empty={(data) => (data.runs.length === 0 ? "No call of this period names a run." : null)}
      partial={(data) =>
        data.total > data.runs.length
          ? `The first ${count(data.runs.length)} of ${count(data.total)} runs are shown.`
          : null
      }
    >
      {(data) => (
        <>
          <div class="choices">
            <Choice label="First" name="runs" options={ORDER} />
            <span class="quiet">
              <Figure id="runs-total" value={data.total}>
                {count(data.total)}
              </Figure>{" "}
              runs
            </span>
          </div>
          <DataTable
            id="runs"
            label="Runs"
            rows={data.runs}
            rowKey={(run) => run.run}
            tall
            columns={[
              { id: "run", title: "Run", header: true, by: (r) => r.run, cell: (r) => r.run },
              {
                id: "first",
                title: "From (UTC)",
                by: (r) => r.first_at,
                cell: (r) => <Time at={r.first_at} />,
              },
              {
                id: "duration",
                title: "Took",
                number: true,
                by: (r) => r.duration_seconds,
                cell: (r) => span(r.duration_seconds * 1000),
              },
              {
                id: "calls",
                title: "Calls",
                number: true,
                by: (r) => r.calls,
                cell: (r) => <ViewLink view={linkedView(view, r.rows)}>{count(r.calls)}</ViewLink>,
              },
              {
                id: "refused",
                title: "Refused",
                number: true,
                by: (r) => r.refused,
                cell: (r) => (
                  <ViewLink view={linkedView(view, refusedAmong(r.rows))}>{count(r.refused)}</ViewLink>
                ),
              },
              {
                id: "share",
                title: "Share",
                number: true,
                by: (r) => r.refused_share,
                cell: (r) => share(r.refused_share),
              },
              {
                id: "lease",
                title: "Lease time",
                number: true,
                by: (r) => r.lease_seconds,
                cell: (r) => span(r.lease_seconds * 1000),
              },
              {
                id: "mean",
                title: "In flight, mean",
                number: true,
                by: (r) => r.in_flight_mean,
                cell: (r) => decimal(r.in_flight_mean),
              },
              { id: "tiers", title: "Tier", cell: (r) => r.tiers.join(", ") || MISSING },
              { id: "endpoints", title: "Endpoints", cell: (r) => r.endpoints.join(", ") || MISSING },
              {
                id: "sources",
                title: "Request source",
                cell: (r) => r.request_sources.join(", ") || MISSING,
              },
            ]}
          />
        </>
      )}
    </Panel>
  );
}
