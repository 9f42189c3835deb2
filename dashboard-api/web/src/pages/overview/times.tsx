import { ask } from "../../api/client";
import { useResource } from "../../api/resource";
import { Fact, Figure, ViewLink } from "../../parts/figure";
import { Panel } from "../../parts/panel";
import { usePlace, useTime } from "../../state/place";
import { onPage } from "../../state/view";
import { count } from "../../text/format";
import { rangeText } from "../latency/latency";
import { MEASURES, PERCENTILES } from "../latency/measures";

/** How long calls took, in three numbers; the page Latency has the rest. */
export function TimesPanel({
  measure,
  asked,
}: {
  measure: "held_ms" | "queue_ms";
  /** Whether it is time to ask. */
  asked: boolean;
}) {
  const { view, tick } = usePlace();
  const time = useTime();
  const { name, title, note } = MEASURES[measure];
  const latency = useResource(
    asked ? ask("/api/v1/latency", { ...time, measure, series: false }) : null,
    tick,
  );
  return (
    <Panel
      id={`${name}-short`}
      title={title}
      note={note}
      resource={latency}
      empty={(data) => (data.present === 0 ? "No call in this period has a value." : null)}
    >
      {(data) => (
        <>
          <dl class="facts">
            {PERCENTILES.map((p) => (
              <Fact key={p} name={p}>
                <Figure id={`${name}-${p}`} value={data[p]}>
                  {rangeText(data[p], data.ranges?.[p] ?? null)}
                </Figure>
              </Fact>
            ))}
            <Fact name="calls">
              <Figure id={`${name}-present`} value={data.present}>
                {count(data.present)}
              </Figure>
            </Fact>
            <Fact name="without a value">
              <Figure id={`${name}-missing`} value={data.missing}>
                {count(data.missing)}
              </Figure>
            </Fact>
          </dl>
          <p class="note">
            <ViewLink view={onPage(view, "latency")} place={`#${name}`}>
              Over time, and by endpoint and tier
            </ViewLink>
          </p>
        </>
      )}
    </Panel>
  );
}
