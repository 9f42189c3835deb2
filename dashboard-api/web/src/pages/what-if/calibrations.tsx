import { useState } from "preact/hooks";
import { address, ask, post, posting, request } from "../../api/client";
import { useAction, useResource } from "../../api/resource";
import type { Calibration } from "../../api/schema";
import { chosen } from "../../parts/choice";
import { Time, ViewLink } from "../../parts/figure";
import { Panel } from "../../parts/panel";
import { Said } from "../../parts/said";
import { DataTable } from "../../parts/table";
import { useMay } from "../../state/me";
import type { Period } from "../../state/period";
import { usePlace } from "../../state/place";
import { withOwn } from "../../state/view";
import { count, MISSING, share } from "../../text/format";
import { asked, ENFORCE } from "./asked";
import { Estimated } from "./estimated";
import { required } from "./required";

/** Whole calibrations, with curves and a recommendation: those done, and a new one. */
export function CalibrationsPanel({ period }: { period: Period }) {
  const { view, navigate, tick } = usePlace();
  const may = useMay("calibrations");
  const [changed, setChanged] = useState(0);
  const list = useResource(ask("/api/v1/calibrations"), tick + changed);
  const enforce = chosen(view.own, "enforce", ENFORCE);
  const start = useAction(async () => {
    const job = await post(
      posting("/api/v1/calibrations", {
        ...period,
        changes: asked(view.own["set"] ?? []),
        explore: true,
        require: required(view.own["require"]),
        ...(enforce === "config" ? {} : { enforce_for: enforce }),
      }),
    );
    setChanged((n) => n + 1);
    navigate(withOwn(view, { job: [job.id] }), "#job");
  });
  const cancel = useAction(async (id: string) => {
    await request("DELETE", address("/api/v1/calibrations/{id}", {}, { id }));
    setChanged((n) => n + 1);
  });
  return (
    <Panel
      id="calibrations"
      title="Calibrations"
      resource={list}
      wide
      note="A whole calibration has more repetitions, a curve for every limit, which lanes bind, a recommendation, and the gate’s verdict. Also for longer periods than are replayed above."
    >
      {(data) => (
        <>
          {may ? (
            <p class="choices">
              <button
                type="button"
                data-testid="calibrate"
                disabled={start.busy} onClick={() => start.run()}>
                Calibrate this period and these limits
              </button>
            </p>
          ) : (
            <p class="note">Starting one needs the role operator.</p>
          )}
          <Said action={start} />
          <Said action={cancel} />
          {data.calibrations.length === 0 ? (
            <p class="empty">None has been started yet.</p>
          ) : (
            <DataTable
              id="calibrations"
              label="Calibrations"
              rows={data.calibrations}
              rowKey={(one) => one.id}
              tall
              columns={[
                {
                  id: "started",
                  title: "Started (UTC)",
                  by: (one) => one.started_at,
                  cell: (one) => (
                    <ViewLink
                      view={withOwn(view, { job: [one.id] })}
                      place="#job"
                      current={view.own["job"]?.[0] === one.id}
                    >
                      <Time at={one.started_at} />
                    </ViewLink>
                  ),
                },
                { id: "state", title: "State", by: (one) => one.state, cell: stateText },
                {
                  id: "changes",
                  title: "Limits asked about",
                  cell: (one) =>
                    Object.entries(one.changes)
                      .map(([path, value]) => `${path} ${value}`)
                      .join(", ") || "those in force",
                },
                { id: "calls", title: "Calls", number: true, by: (one) => one.calls, cell: (one) => count(one.calls) },
                {
                  id: "shadow",
                  title: "Shadow said",
                  number: true,
                  by: (one) => one.shadow_refused_share,
                  cell: (one) => share(one.shadow_refused_share),
                },
                {
                  id: "refused",
                  title: "Refused at least once",
                  number: true,
                  by: (one) => one.refused_calls_share?.value,
                  cell: (one) => <Estimated estimate={one.refused_calls_share} text={share} />,
                },
                {
                  id: "cancel",
                  title: <span class="hidden">Cancel</span>,
                  cell: (one) =>
                    may && (one.state === "waiting" || one.state === "running") ? (
                      <button type="button" class="chip" data-testid="cancel" onClick={() => cancel.run(one.id)}>
                        cancel
                      </button>
                    ) : (
                      ""
                    ),
                },
              ]}
            />
          )}
        </>
      )}
    </Panel>
  );
}

/** How a calibration stands, in words. */
export function stateText(one: Calibration): string {
  if (one.state === "running") {
    return one.progress ?? "running";
  }
  if (one.state === "failed") {
    return `failed: ${one.problem ?? MISSING}`;
  }
  return one.state === "done" && one.conclusive === false ? "done, nothing concluded" : one.state;
}
