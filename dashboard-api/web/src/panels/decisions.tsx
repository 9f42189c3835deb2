import type { Decisions } from "../api";
import { Chart, type Mark } from "../chart";
import { duration } from "../format";
import type { Resource } from "../hooks";
import { Panel } from "../parts";
import { decisionOrder } from "../series";
import { decisionColor } from "./headline";

/** What was decided, over time, with the config's changes as marks. */
export function DecisionsPanel({
  api,
  decisions,
  marks,
  dark,
  zoom,
}: {
  api: string;
  decisions: Resource<Decisions>;
  marks: Mark[];
  dark: boolean;
  zoom: (from: string, to: string) => void;
}) {
  return (
    <Panel
      id="decisions"
      title="Decisions over time"
      api={api}
      resource={decisions}
      wide
      empty={noCalls}
      note={
        decisions.data !== null && decisions.data.calls > 0
          ? `Calls per ${duration(decisions.data.series.step)}, by the time they ended. Drag to zoom; dashed lines are config changes.`
          : undefined
      }
    >
      {(data) => (
        <Chart
          label="Decisions over time"
          unit="calls"
          kind="stack"
          times={data.series.times}
          step={data.series.step}
          complete={data.series.complete}
          series={decisionOrder(Object.keys(data.series.decisions)).map((name) => ({
            name,
            points: data.series.decisions[name] ?? [],
            color: decisionColor(name),
          }))}
          marks={marks}
          dark={dark}
          onZoom={zoom}
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
      ? "No calls with a time are stored: the lines read had none. They are in the table below."
      : "No calls are stored yet. Point the shipper at your API's log files.";
  }
  return "No calls ended in this period.";
}
