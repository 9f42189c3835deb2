import { ask } from "../../api/client";
import { useResource } from "../../api/resource";
import { Choice, chosen } from "../../parts/choice";
import { HeatChart } from "../../parts/heat-chart";
import { Panel } from "../../parts/panel";
import { usePlace, useTime } from "../../state/place";
import { duration, milliseconds } from "../../text/format";
import { type Measure, MEASURES } from "./measures";

const ENDPOINTS = [
  ["all", "all endpoints"],
  ["$match", "$match"],
  ["$rerank", "$rerank"],
] as const;

/** How many calls took how long, over time: two kinds of calls show as two bands. */
export function HeatPanel({ measure }: { measure: Measure }) {
  const { view, tick, dark } = usePlace();
  const time = useTime();
  const endpoint = chosen(view.own, "endpoint", ENDPOINTS);
  const heat = useResource(
    ask("/api/v1/latency/heatmap", {
      ...time,
      measure,
      ...(endpoint === "all" ? {} : { endpoint: [endpoint] }),
    }),
    tick,
  );
  const { name, title } = MEASURES[measure];
  return (
    <Panel
      id={`${name}-heat`}
      title={`${title}: how many calls took how long`}
      resource={heat}
      empty={(data) => (data.edges.length === 0 ? "No call in this period has a value." : null)}
      note={heat.data === null ? undefined : `Calls per ${duration(heat.data.step)}; ${dark ? "lighter" : "darker"} is more.`}
    >
      {(data) => (
        <>
          <div class="choices">
            <Choice label="Endpoint" name="endpoint" options={ENDPOINTS} />
          </div>
          <HeatChart
            label={title}
            times={data.times}
            step={data.step}
            complete={data.complete}
            edges={data.edges}
            counts={data.counts}
            format={milliseconds}
          />
        </>
      )}
    </Panel>
  );
}
