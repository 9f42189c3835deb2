import { type ComponentChildren, createContext } from "preact";
import { useContext } from "preact/hooks";
import { ask } from "../api/client";
import { type Resource, useResource } from "../api/resource";
import type { Pipeline } from "../api/schema";
import { Figure, Time, ViewLink } from "../parts/figure";
import { stateOf } from "../parts/panel";
import { usePlace } from "../state/place";
import { onPage } from "../state/view";
import { count } from "../text/format";

const Context = createContext<Resource<Pipeline> | null>(null);

/** The pipeline's state, read once for the whole page. */
export function PipelineProvider({ children }: { children: ComponentChildren }) {
  const { tick } = usePlace();
  const pipeline = useResource(ask("/api/v1/pipeline"), tick);
  return <Context.Provider value={pipeline}>{children}</Context.Provider>;
}

export function usePipeline(): Resource<Pipeline> {
  const pipeline = useContext(Context);
  if (pipeline === null) {
    throw new Error("There is no PipelineProvider above");
  }
  return pipeline;
}

/** Whether the numbers below can be trusted, in one line on every page. */
export function Completeness() {
  const pipeline = usePipeline();
  const { view } = usePlace();
  const { data, error } = pipeline;
  const trouble = data === null ? null : troubleOf(data);
  const number = (id: string, value: number) => (
    <Figure id={id} value={value}>
      {count(value)}
    </Figure>
  );
  return (
    <section
      id="completeness"
      class="completeness"
      aria-label="Completeness"
      data-state={stateOf(data, error, null, trouble)}
    >
      {error !== null && (
        <span role="alert">How complete the numbers are isn’t known. {error.message}</span>
      )}
      {data === null && error === null && <span>Completeness: loading…</span>}
      {data !== null && (
        <>
          <span>
            Complete until{" "}
            <Figure id="complete-until" value={data.complete_until}>
              {data.complete_until === null ? "not known" : <Time at={data.complete_until} />}
            </Figure>
          </span>
          <span>lines read {number("lines-read", data.lines.read)}</span>
          <span>not ours {number("not-ours", data.lines.not_ours)}</span>
          <span>dead {number("dead", data.lines.dead)}</span>
          <span>dropped at the source {number("dropped-at-source", data.lines.dropped_at_source)}</span>
          {trouble !== null && <strong>{trouble}</strong>}
          <ViewLink view={onPage(view, "quality")}>Why trust this</ViewLink>
        </>
      )}
    </section>
  );
}

function troubleOf({ lag, lines, sources }: Pipeline): string | null {
  const parts: string[] = [];
  if (lag.silent_sources > 0) {
    parts.push(
      `${count(lag.silent_sources)} of ${count(sources.length)} sources silent for over 60 s`,
    );
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
