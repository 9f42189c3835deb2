import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { get } from "./api";
import { formatView, parseView, type View } from "./state";

/** What is known of a resource: data may stand beside an error, when it is older than that. */
export interface Resource<T> {
  data: T | null;
  error: string | null;
  loading: boolean;
  retry: () => void;
}

/** Reads a resource when its address changes and at every tick. */
export function useResource<T>(url: string, tick: number): Resource<T> {
  const [state, setState] = useState<{
    url: string;
    data: T | null;
    error: string | null;
    loading: boolean;
  }>({ url, data: null, error: null, loading: true });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    setState((before) => ({
      url,
      data: before.url === url ? before.data : null,
      error: before.url === url ? before.error : null,
      loading: true,
    }));
    get<T>(url, abort.signal).then(
      (data) => setState({ url, data, error: null, loading: false }),
      (error: unknown) => {
        if (!abort.signal.aborted) {
          const text = error instanceof Error ? error.message : String(error);
          setState((before) => ({ ...before, url, error: text, loading: false }));
        }
      },
    );
    return () => abort.abort();
  }, [url, tick, attempt]);
  const retry = useCallback(() => setAttempt((n) => n + 1), []);
  return { data: state.data, error: state.error, loading: state.loading, retry };
}

export type Navigate = (view: View, place?: string) => void;

/** The view in the address, and the way to another; back and forward work. */
export function useView(): [View, Navigate] {
  const [view, setView] = useState(() => parseView(location.search));
  useEffect(() => {
    const read = () => setView(parseView(location.search));
    addEventListener("popstate", read);
    return () => removeEventListener("popstate", read);
  }, []);
  const navigate = useCallback<Navigate>((next, place) => {
    history.pushState(null, "", `${location.pathname}${formatView(next)}${place ?? ""}`);
    setView(next);
    if (place !== undefined) {
      document.querySelector(place)?.scrollIntoView();
      document.querySelector<HTMLElement>(place)?.focus({ preventScroll: true });
    }
  }, []);
  return [view, navigate];
}

/** Counts up every so many seconds, but not while the page is hidden; 0 never. */
export function useTick(seconds: number): [number, () => void] {
  const [tick, setTick] = useState(0);
  const now = useCallback(() => setTick((n) => n + 1), []);
  const missed = useRef(false);
  useEffect(() => {
    if (seconds === 0) {
      return undefined;
    }
    const timer = setInterval(() => {
      if (document.hidden) {
        missed.current = true;
      } else {
        now();
      }
    }, seconds * 1000);
    const shown = () => {
      if (!document.hidden && missed.current) {
        missed.current = false;
        now();
      }
    };
    document.addEventListener("visibilitychange", shown);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", shown);
    };
  }, [seconds, now]);
  return [tick, now];
}

export type Theme = "auto" | "light" | "dark";

/** The reader's choice of theme, kept where the browser lets us. */
export function useTheme(): [Theme, boolean, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(storedTheme);
  const [systemDark, setSystemDark] = useState(() => darkQuery().matches);
  useEffect(() => {
    const query = darkQuery();
    const changed = () => setSystemDark(query.matches);
    query.addEventListener("change", changed);
    return () => query.removeEventListener("change", changed);
  }, []);
  const dark = theme === "dark" || (theme === "auto" && systemDark);
  // Before charts, which read the theme's colours in their own effects.
  useLayoutEffect(() => {
    document.documentElement.dataset["theme"] = dark ? "dark" : "light";
  }, [dark]);
  const choose = useCallback((next: Theme) => {
    try {
      localStorage.setItem("theme", next);
    } catch {
      // A browser that keeps nothing still shows what was chosen.
    }
    setTheme(next);
  }, []);
  return [theme, dark, choose];
}

function darkQuery(): MediaQueryList {
  return matchMedia("(prefers-color-scheme: dark)");
}

function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem("theme");
    return stored === "light" || stored === "dark" ? stored : "auto";
  } catch {
    return "auto";
  }
}
