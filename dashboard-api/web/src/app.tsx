import { useMemo } from "preact/hooks";
import type { ConfigChanges, Decisions, Pipeline } from "./api";
import type { Mark } from "./chart";
import { useResource, useTheme, useTick, useView } from "./hooks";
import { CallsPanel } from "./panels/calls";
import { ConfigChangesPanel } from "./panels/config-changes";
import { Controls } from "./panels/controls";
import { DecisionsPanel } from "./panels/decisions";
import { Headline } from "./panels/headline";
import { LatencyPanel } from "./panels/latency";
import { PipelinePanel } from "./panels/pipeline";
import { LanesPanel, TiersPanel } from "./panels/refusals";
import { apiUrl } from "./state";

export function App() {
  const [view, navigate] = useView();
  const [tick, refreshNow] = useTick(view.refresh);
  const [theme, dark, chooseTheme] = useTheme();
  const tiersUrl = apiUrl("decisions", view, { group_by: "tier" });
  const lanesUrl = apiUrl("decisions", view, { group_by: "scope" });
  const changesUrl = apiUrl("config-changes", view, { limit: 200 });
  const pipelineUrl = apiUrl("pipeline", { ...view, from: null, to: null });
  const tiers = useResource<Decisions>(tiersUrl, tick);
  const lanes = useResource<Decisions>(lanesUrl, tick);
  const changes = useResource<ConfigChanges>(changesUrl, tick);
  const pipeline = useResource<Pipeline>(pipelineUrl, tick);
  const marks = useMemo(() => (changes.data === null ? [] : marksOf(changes.data)), [changes.data]);
  const zoom = (from: string, to: string) => navigate({ ...view, from, to, cursor: null });
  return (
    <>
      <a class="skip" href="#headline">
        Skip to the numbers
      </a>
      <Controls
        view={view}
        navigate={navigate}
        refreshNow={refreshNow}
        theme={theme}
        chooseTheme={chooseTheme}
      />
      <main>
        <Headline
          api={tiersUrl}
          decisions={tiers}
          pipeline={pipeline}
          view={view}
          navigate={navigate}
        />
        <DecisionsPanel api={tiersUrl} decisions={tiers} marks={marks} dark={dark} zoom={zoom} />
        <LanesPanel api={lanesUrl} decisions={lanes} view={view} navigate={navigate} />
        <TiersPanel api={tiersUrl} decisions={tiers} view={view} navigate={navigate} />
        {(["held_ms", "queue_ms"] as const).map((measure) => (
          <LatencyPanel
            key={measure}
            measure={measure}
            view={view}
            navigate={navigate}
            tick={tick}
            marks={marks}
            dark={dark}
            zoom={zoom}
          />
        ))}
        <ConfigChangesPanel api={changesUrl} changes={changes} />
        <PipelinePanel api={pipelineUrl} pipeline={pipeline} />
        <CallsPanel view={view} navigate={navigate} tick={tick} lanes={lanes} tiers={tiers} />
      </main>
      <footer>
        Times are UTC, your own on hover. Refused counts calls that were refused or would have been.{" "}
        <a href="openapi.yaml">API description</a>
      </footer>
    </>
  );
}

function marksOf(changes: ConfigChanges): Mark[] {
  return changes.config_changes
    .filter((change) => change.time_source !== "read")
    .map((change) => ({
      at: change.changed_at,
      label: change.version === null ? "config" : `v${change.version}`,
    }));
}
