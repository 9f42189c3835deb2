import { useEffect, useState } from "preact/hooks";

/** How a stream stands: before the first word, flowing, or broken and being tried again. */
export type StreamState = "connecting" | "open" | "broken";

/**
 * Listens to server-sent events while the page is seen; the browser connects again by itself.
 *
 * @param on called with each event's JSON, by its name; must not change between renders
 */
export function useStream(
  url: string,
  on: Readonly<Record<string, (data: unknown) => void>>,
): StreamState {
  const [state, setState] = useState<StreamState>("connecting");
  useEffect(() => {
    let source: EventSource | null = null;
    const close = () => {
      source?.close();
      source = null;
    };
    const open = () => {
      source = new EventSource(url);
      source.onopen = () => setState("open");
      source.onerror = () => setState("broken");
      for (const [name, call] of Object.entries(on)) {
        source.addEventListener(name, (event: MessageEvent<string>) =>
          call(JSON.parse(event.data) as unknown),
        );
      }
    };
    const seen = () => {
      if (document.hidden) {
        close();
      } else if (source === null) {
        open();
      }
    };
    setState("connecting");
    seen();
    document.addEventListener("visibilitychange", seen);
    return () => {
      document.removeEventListener("visibilitychange", seen);
      close();
    };
  }, [url, on]);
  return state;
}
