import type { Decisions, Pipeline } from "../api";
import { count, duration, share } from "../format";
import type { Navigate, Resource } from "../hooks";
import { Figure, Panel, Time, ViewLink } from "../parts";
import { decisionOrder } from "../series";
import type { View } from "../state";

/** The answer: how many calls, how many refused, of what period, and how whole the evidence is. */
export function Headline({
  api,
  decisions,
  pipeline,
  view,
  navigate,
}: {
  api: string;
  decisions: Resource<Decisions>;
  pipeline: Resource<Pipeline>;
  view: View;
  navigate: Navigate;
}) {
  const withTime: View["filters"] = { untimed: ["false"] };
  const refusedView: View = {
    ...view,
    cursor: null,
    filters: { decision: ["shadow-refused", "refused"], ...withTime },
  };
  return (
    <Panel
      id="headline"
      title="Refused, or would be"
      api={api}
      resource={decisions}
      wide
      partial={() => trouble(pipeline.data)}
    >
      {(data) => (
        <>
          <div class="answer">
            <p class="big">
              <Figure id="refused-share" value={data.refused_share}>
                {share(data.refused_share)}
              </Figure>
              <span class="unit">
                of calls refused:{" "}
                <ViewLink view={refusedView} place="#calls" navigate={navigate}>
                  <Figure id="refused" value={data.refused}>
                    {count(data.refused)}
                  </Figure>
                </ViewLink>{" "}
                of{" "}
                <ViewLink
                  view={{ ...view, cursor: null, filters: withTime }}
                  place="#calls"
                  navigate={navigate}
                >
                  <Figure id="calls" value={data.calls}>
                    {count(data.calls)}
                  </Figure>
                </ViewLink>{" "}
                calls
              </span>
            </p>
            <ul class="decisions" aria-label="Calls by decision">
              {decisionOrder(Object.keys(data.totals)).map((name) => (
                <li key={name}>
                  <span class={`swatch ${decisionColor(name)}`} aria-hidden="true" />
                  {name}{" "}
                  <ViewLink
                    view={{ ...view, cursor: null, filters: { decision: [name], ...withTime } }}
                    place="#calls"
                    navigate={navigate}
                  >
                    <Figure id={`decision-${name}`} value={data.totals[name] ?? 0}>
                      {count(data.totals[name])}
                    </Figure>
                  </ViewLink>
                </li>
              ))}
            </ul>
          </div>
          <p class="period">
            {data.from === null || data.to === null ? (
              "No calls stored yet"
            ) : (
              <>
                <Figure id="period" value={`${data.from}/${data.to}`}>
                  <Time at={data.from} seconds={false} /> to <Time at={data.to} seconds={false} />
                </Figure>{" "}
                UTC ({duration((Date.parse(data.to) - Date.parse(data.from)) / 1000)})
              </>
            )}
          </p>
          <Completeness data={data} pipeline={pipeline} view={view} navigate={navigate} />
        </>
      )}
    </Panel>
  );
}

function Completeness({
  data,
  pipeline,
  view,
  navigate,
}: {
  data: Decisions;
  pipeline: Resource<Pipeline>;
  view: View;
  navigate: Navigate;
}) {
  const lines = pipeline.data?.lines;
  const number = (id: string, value: number | undefined) => (
    <Figure id={id} value={value ?? null}>
      {count(value)}
    </Figure>
  );
  return (
    <p class="completeness" aria-label="Completeness">
      <span>Lines read {number("lines-read", lines?.read)}</span>
      <span>not ours {number("not-ours", lines?.not_ours)}</span>
      <span>
        <a href="#pipeline">dead {number("dead", lines?.dead)}</a>
      </span>
      <span>dropped at the source {number("dropped-at-source", lines?.dropped_at_source)}</span>
      <span>
        calls without a time{" "}
        <ViewLink
          view={{ ...view, cursor: null, filters: { untimed: ["true"] } }}
          place="#calls"
          navigate={navigate}
        >
          {number("untimed", data.untimed)}
        </ViewLink>
      </span>
      <span>
        complete until{" "}
        <Figure id="complete-until" value={data.complete_until}>
          {data.complete_until === null ? "not known" : <Time at={data.complete_until} />}
        </Figure>
      </span>
    </p>
  );
}

function trouble(pipeline: Pipeline | null): string | null {
  if (pipeline === null) {
    return null;
  }
  const parts: string[] = [];
  const { lag, lines } = pipeline;
  if (lag.silent_sources > 0) {
    parts.push(`${count(lag.silent_sources)} of ${count(pipeline.sources.length)} sources silent for over 60 s`);
  }
  if (lag.failed_sources > 0) {
    parts.push(`${count(lag.failed_sources)} sources failed`);
  }
  if (lines.dead > 0) {
    parts.push(`${count(lines.dead)} lines could not be read`);
  }
  if (lines.dropped_at_source > 0) {
    parts.push(`${count(lines.dropped_at_source)} lines were dropped before they were written`);
  }
  return parts.length === 0 ? null : `The evidence has holes: ${parts.join("; ")}.`;
}

/** Each decision's colour; new decisions share one. */
export function decisionColor(decision: string): string {
  const colors: Record<string, string> = {
    admitted: "admitted",
    "shadow-refused": "shadow-refused",
    refused: "refused",
    unavailable: "unavailable",
  };
  return colors[decision] ?? "other";
}
