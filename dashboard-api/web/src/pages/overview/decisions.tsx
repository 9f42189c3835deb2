import type { Resource } from "../../api/resource";
import type { Decisions } from "../../api/schema";
import { Chart } from "../../parts/chart";
import { Panel } from "../../parts/panel";
import { duration } from "../../text/format";
import { decisionColor, decisionOrder } from "../../text/series";

/** What was decided, over time, with the config's changes as marks. */
export function DecisionsPanel({ decisions }: { decisions: Resource<Decisions> }) {
  return (
    <Panel
      id="decisions"
      title="Decisions over time"
      resource={decisions}
      wide
      empty={noCalls}
      alarm={{
        name: "CallsPerMinute",
        metric: "calls_per_minute",
        filters: {},
        threshold: 100,
        share: false,
        summary: "{{ $value }} calls a minute",
      }}
      note={
        decisions.data !== null && decisions.data.calls > 0
          ? `Calls per ${duration(decisions.data.series.step)}, by the time they ended. Drag to zoom; dashed lines are config changes.`
          : undefined
      }
    >
      {({ series }) => (
        <Chart
          label="Decisions over time"
          unit="calls"
          kind="stack"
          times={series.times}
          step={series.step}
          complete={series.complete}
          series={decisionOrder(Object.keys(series.decisions)).map((name) => ({
            name,
            points: series.decisions[name] ?? [],
            color: decisionColor(name),
          }))}
        />
      )}
    </Panel>
  );
}

/** Says that there is nothing, and whether that is because nothing is known. */
export function noCalls(data: Decisions): string | null {
  if (data.calls > 0) {
    return null;
  }
  if (data.from === null) {
    return data.untimed > 0
      ? "No calls with a time are stored: the lines read had none. They are on the page Calls."
      : "No calls are stored yet. Point the shipper at your API's log files.";
  }
  return "No calls ended in this period.";
}
