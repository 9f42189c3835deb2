import { type ComponentChildren, createContext } from "preact";
import { useContext } from "preact/hooks";
import { ask } from "../api/client";
import { useResource } from "../api/resource";
import type { Me } from "../api/schema";
import { usePlace } from "./place";

const Context = createContext<Me | null>(null);

/** Who asks, read again when the reader logs in or out. */
export function MeProvider({ children }: { children: ComponentChildren }) {
  const { tick } = usePlace();
  const me = useResource(ask("/api/v1/me"), tick);
  return <Context.Provider value={me.data}>{children}</Context.Provider>;
}

/** Who asks; null while that isn't known. */
export function useMe(): Me | null {
  return useContext(Context);
}

/** Whether the reader may do something: what they may not is not offered. */
export function useMay(what: Me["may"][number]): boolean {
  const me = useContext(Context);
  return me?.may.includes(what) ?? false;
}
