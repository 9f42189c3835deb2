import { useCallback } from "preact/hooks";
import { ask, read } from "../api/client";
import { usePlace, viewAddress } from "../state/place";
import { movedTime, relativeSeconds, type View, withTime } from "../state/view";
import { utc } from "../text/format";

/** The relative periods on offer. */
export const RANGES: [string, string | null][] = [
  ["Last 15 min", "-15m"],
  ["Last 1 h", "-1h"],
  ["Last 6 h", "-6h"],
  ["Last 24 h", "-24h"],
  ["Last 7 d", "-7d"],
  ["Last 30 d", "-30d"],
  ["All there is", null],
];

/** A view's period in words. */
export function rangeName(view: View): string {
  const named = RANGES.find(([, start]) => start === view.from);
  if (named !== undefined && view.to === null) {
    return named[0];
  }
  const from = view.from === null ? "the start" : bound(view.from);
  return `${from} to ${view.to === null ? "now" : bound(view.to)}`;
}

function bound(text: string): string {
  return Number.isNaN(Date.parse(text)) || text.startsWith("-") ? text : utc(text, false);
}

/** Moves or widens the period; a period without bounds is first asked for its own. */
export function useShownTime(): (move: { by?: number; grow?: number }) => void {
  const { view, navigate } = usePlace();
  return useCallback(
    (move) => {
      const go = (from: string, to: string) => navigate(movedTime(view, { from, to }, move));
      const seconds = relativeSeconds(view.from);
      if (seconds !== null && view.to === null) {
        if (move.grow !== undefined) {
          navigate(withTime(view, `-${Math.round((seconds * move.grow) / 60)}m`, null));
        } else {
          go(new Date(Date.now() - seconds * 1000).toISOString(), new Date().toISOString());
        }
        return;
      }
      const { from, to } = view;
      if (from !== null && to !== null && Date.parse(from) < Date.parse(to)) {
        go(from, to);
        return;
      }
      // An answer says what period it was about.
      read(ask("/api/v1/decisions", { from, to })).then(
        (answer) => {
          if (answer.from !== null && answer.to !== null) {
            go(answer.from, answer.to);
          }
        },
        () => {
          // The panels ask the same and say what is wrong.
        },
      );
    },
    [viewAddress(view), navigate],
  );
}
