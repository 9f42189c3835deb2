import { useMemo, useRef } from "preact/hooks";
import { posting } from "../../api/client";
import { usePosted } from "../../api/resource";
import type { WhatIf } from "../../api/schema";
import { Panel } from "../../parts/panel";
import { type Period, usePeriod } from "../../state/period";
import { usePlace } from "../../state/place";
import { CalibrationsPanel } from "./calibrations";
import { asked, ENFORCE } from "./asked";
import { chosen } from "../../parts/choice";
import { GatePanel } from "./gate";
import { JobPanel } from "./job";
import { LimitsPanel } from "./limits";
import { PredictionPanel } from "./prediction";
import { required } from "./required";
import { TakePanel } from "./take";

/** What other limits would do: today's beside the asked-for, answered while one waits. */
export function WhatIfPage() {
  const { view } = usePlace();
  const { period, of } = usePeriod();
  const job = view.own["job"]?.[0];
  if (period === null) {
    return (
      <Panel
        id="limits"
        title="Limits"
        resource={of}
        wide
        empty={() => "No calls with a time are stored in this period: there is nothing to replay."}
      >
        {() => null}
      </Panel>
    );
  }
  return (
    <>
      <Asked period={period} />
      <CalibrationsPanel period={period} />
      {job !== undefined && <JobPanel key={job} id={job} />}
    </>
  );
}

function Asked({ period }: { period: Period }) {
  const { view } = usePlace();
  const changes = useMemo(() => asked(view.own["set"] ?? []), [view.own["set"]]);
  const enforce = chosen(view.own, "enforce", ENFORCE);
  const question = {
    ...period,
    changes,
    ...(enforce === "config" ? {} : { enforce_for: enforce }),
  };
  const whatIf = usePosted(posting("/api/v1/what-if", question), 0, 400);
  // The limits in force stay to be moved while an answer is awaited, or was refused.
  const last = useRef<WhatIf | null>(null);
  last.current = whatIf.data ?? last.current;
  // The answer before stays to be seen, dimmed, until the next is there.
  const shown = whatIf.error === null ? { ...whatIf, data: last.current } : whatIf;
  const require = useMemo(() => required(view.own["require"]), [view.own["require"]]);
  // One replay runs at a time, and the gate's is the one that was just made.
  const settled = whatIf.data !== null && !whatIf.loading;
  const gate = usePosted(
    settled ? posting("/api/v1/gate", { ...question, require }) : null,
    0,
    100,
  );
  return (
    <>
      <LimitsPanel whatIf={whatIf} last={last.current} changes={changes} />
      <PredictionPanel whatIf={shown} />
      <GatePanel gate={gate} require={require} />
      <TakePanel whatIf={whatIf} require={require} />
    </>
  );
}
