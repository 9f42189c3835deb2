import { useState } from "preact/hooks";
import { post, posting } from "../../api/client";
import { useAction } from "../../api/resource";
import type { Backtest } from "../../api/schema";
import { Fact, Figure, Time } from "../../parts/figure";
import { Said } from "../../parts/said";
import { DataTable } from "../../parts/table";
import { usePeriod } from "../../state/period";
import { count, decimal, span } from "../../text/format";
import { groupText, State } from "./state";

const EXAMPLE = `alert: LaneFull
expr: lane_full_share{lane="api_heavy"}[5m] > 0.5
for: 3m
keep_firing_for: 5m
clear: 0.4
min_calls: 20
no_data: keep
labels:
  severity: ticket
annotations:
  summary: 'Lane api_heavy is full for {{ $value }} of calls'
`;

/** When a rule would have fired in the period. */
export function BacktestPanel() {
  const { period } = usePeriod();
  const [rule, setRule] = useState(EXAMPLE);
  const [told, setTold] = useState<Backtest | null>(null);
  const test = useAction(async () => {
    if (period !== null) {
      setTold(await post(posting("/api/v1/alarms/backtest", { rule, ...period })));
    }
  });
  return (
    <section id="backtest" class="panel" aria-labelledby="backtest-title">
      <h2 id="backtest-title">Back-test</h2>
      <p class="note">One rule, as in a rules file, over the stored minutes of the period shown.</p>
      <form
        class="custom"
        onSubmit={(event) => {
          event.preventDefault();
          test.run();
        }}
      >
        <textarea
          aria-label="The rule, in YAML"
          rows={12}
          spellcheck={false}
          value={rule}
          onInput={(event) => setRule(event.currentTarget.value)}
        />
        <div>
          <button type="submit" disabled={test.busy || period === null}>
            {test.busy ? "Testing…" : "Test it"}
          </button>
        </div>
      </form>
      <Said action={test} />
      {told !== null && test.error === null && <Told told={told} />}
    </section>
  );
}

function Told({ told }: { told: Backtest }) {
  return (
    <>
      <dl class="facts">
        <Fact name="Fired">
          <Figure id="backtest-fired" value={told.fired}>
            {count(told.fired)}
          </Figure>{" "}
          times
        </Fact>
        <Fact name="Firing for">{span(told.firing_seconds * 1000)}</Fact>
        <Fact name="Unknown for">{span(told.unknown_seconds * 1000)}</Fact>
        <Fact name="Evaluations">{count(told.evaluations)}</Fact>
      </dl>
      {told.changes.length > 0 && (
        <DataTable
          id="backtest"
          label="Changes in the back-test"
          rows={told.changes}
          rowKey={(change) => `${change.at} ${groupText(change.group)} ${change.after}`}
          tall
          columns={[
            { id: "at", title: "Time (UTC)", by: (c) => c.at, cell: (c) => <Time at={c.at} /> },
            { id: "group", title: "Of", cell: (c) => groupText(c.group) || "all" },
            { id: "after", title: "Then", cell: (c) => <State state={c.after} /> },
            { id: "value", title: "Value", number: true, by: (c) => c.value, cell: (c) => decimal(c.value) },
            { id: "says", title: "What it says", cell: (c) => <span class="path">{c.says}</span> },
          ]}
        />
      )}
    </>
  );
}
