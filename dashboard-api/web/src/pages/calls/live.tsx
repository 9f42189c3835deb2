import { useMemo, useState } from "preact/hooks";
import { address } from "../../api/client";
import type { Call, LiveNumbers, Problem } from "../../api/schema";
import { useStream } from "../../api/stream";
import { Figure } from "../../parts/figure";
import { usePlace } from "../../state/place";
import { filtersOf } from "../../state/view";
import { count, share } from "../../text/format";
import { CallTable } from "./table";

const MOST_SHOWN = 200;
const STATES = { connecting: "connecting…", open: "live", broken: "lost: trying again…" };

/** Calls as they come, with the four filters that a stream knows. */
export function LiveTail() {
  const { view } = usePlace();
  const { decision, tier, endpoint, scope } = filtersOf(view);
  const url = address("/api/v1/live", { decision, tier, endpoint, scope });
  return <Tail key={url} url={url} />;
}

function Tail({ url }: { url: string }) {
  const [calls, setCalls] = useState<readonly Call[]>([]);
  const [numbers, setNumbers] = useState<LiveNumbers | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const on = useMemo(
    () => ({
      calls: (data: unknown) => {
        setProblem(null);
        setCalls((before) => newest(data as Call[], before));
      },
      numbers: (data: unknown) => {
        setProblem(null);
        setNumbers(data as LiveNumbers);
      },
      problem: (data: unknown) => setProblem(data as Problem),
    }),
    [],
  );
  const state = useStream(url, on);
  const last = numbers?.last_5_minutes;
  return (
    <>
      <p class="live" role="status" data-testid="live-state" data-value={state}>
        {STATES[state]}
      </p>
      {problem !== null && (
        <p class="problem" role="alert">
          {problem.title}. {problem.detail}.
        </p>
      )}
      {last !== undefined && (
        <p class="note">
          In the last five minutes:{" "}
          <Figure id="live-calls" value={last.calls}>
            {count(last.calls)}
          </Figure>{" "}
          calls,{" "}
          <Figure id="live-share" value={last.refused_share}>
            {share(last.refused_share)}
          </Figure>{" "}
          refused.
        </p>
      )}
      {calls.length === 0 ? (
        <p class="empty">No call has come yet.</p>
      ) : (
        <CallTable calls={calls} />
      )}
    </>
  );
}

/** The newest calls of both, each once: a stream that connects again begins with some we have. */
function newest(come: readonly Call[], before: readonly Call[]): Call[] {
  const known = new Set(come.map((call) => call.event_id));
  return [...come, ...before.filter((call) => !known.has(call.event_id))].slice(0, MOST_SHOWN);
}
