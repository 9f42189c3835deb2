import { type ComponentChildren, createContext } from "preact";
import { useContext, useMemo } from "preact/hooks";
import { ask } from "../api/client";
import { type Resource, useResource } from "../api/resource";
import type { ConfigChanges } from "../api/schema";
import { usePlace, useTime } from "../state/place";
import type { Mark } from "./plot";

const MOST = 200;
const NONE: Mark[] = [];

const Context = createContext<Resource<ConfigChanges> | null>(null);

/** The config's changes in the time of the view, for all of a page: each chart marks them. */
export function MarksProvider({ children }: { children: ComponentChildren }) {
  const { tick } = usePlace();
  const time = useTime();
  const changes = useResource(ask("/api/v1/config-changes", { ...time, limit: MOST }), tick);
  return <Context.Provider value={changes}>{children}</Context.Provider>;
}

export function useConfigChanges(): Resource<ConfigChanges> {
  const changes = useContext(Context);
  if (changes === null) {
    throw new Error("There is no MarksProvider above");
  }
  return changes;
}

export function useMarks(): Mark[] {
  const data = useContext(Context)?.data ?? null;
  return useMemo(() => (data === null ? NONE : marksOf(data)), [data]);
}

/** A change of the mode is told as such; others by their version. */
export function marksOf(changes: ConfigChanges): Mark[] {
  return changes.config_changes
    .filter((change) => change.time_source !== "read")
    .map((change) => ({
      at: change.changed_at,
      label:
        change.changes !== null && "mode" in change.changes && change.mode !== null
          ? `mode ${change.mode}`
          : change.version === null
            ? "config"
            : `v${change.version}`,
    }));
}
