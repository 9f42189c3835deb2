import { useEffect, useRef } from "preact/hooks";
import { usePlace } from "../state/place";
import { onPage, PAGES, type PageId } from "../state/view";
import { useShownTime } from "./ranges";

/** Pages by the second key after g. */
const GO: Record<string, PageId> = {
  o: "overview",
  l: "lanes",
  t: "latency",
  p: "people",
  c: "calls",
  w: "what-if",
  a: "alarms",
  q: "quality",
};

/** What keys do, as the help tells it. */
export const SHORTCUTS: [string, string][] = [
  ["1 to 8", "the pages in their order"],
  ["g, then o l t p c w a q", "Overview, Lanes, Latency, People, Calls, What-if, Alarms, Data quality"],
  ["[ and ]", "half a period earlier, later"],
  ["z", "twice as long a period"],
  ["r", "read everything again"],
  ["d", "dark or light"],
  ["/", "the first filter or field of the page"],
  ["?", "this help"],
  ["Escape", "close what is open"],
];

const CHORD_MS = 1_500;

/** Listens for the shortcuts, unless they are off or a field is being typed in. */
export function useShortcuts({
  on,
  refresh,
  toggleTheme,
  help,
}: {
  on: boolean;
  refresh: () => void;
  toggleTheme: () => void;
  help: () => void;
}) {
  const { view, navigate } = usePlace();
  const moved = useShownTime();
  const went = useRef(0);
  useEffect(() => {
    if (!on) {
      return undefined;
    }
    const pressed = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) {
        return;
      }
      const chord = event.timeStamp - went.current < CHORD_MS;
      went.current = 0;
      const page = chord ? GO[event.key] : PAGES[Number(event.key) - 1];
      if (page !== undefined) {
        navigate(onPage(view, page));
        return;
      }
      const actions: Record<string, () => void> = {
        g: () => {
          went.current = event.timeStamp;
        },
        "[": () => moved({ by: -0.5 }),
        "]": () => moved({ by: 0.5 }),
        z: () => moved({ grow: 2 }),
        r: refresh,
        d: toggleTheme,
        "/": () => {
          event.preventDefault();
          document.querySelector<HTMLElement>("main input, main select, main textarea")?.focus();
        },
        "?": help,
      };
      actions[event.key]?.();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [on, view, navigate, moved, refresh, toggleTheme, help]);
}

function typing(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName) || target.isContentEditable)
  );
}
