import { type ComponentChildren, createContext } from "preact";
import { useCallback, useContext, useEffect, useMemo, useState } from "preact/hooks";
import { formatView, parseView, type View } from "./view";

export type Navigate = (view: View, place?: string) => void;

/** What every part of a page may need to know of where it is. */
export interface Place {
  view: View;
  navigate: Navigate;
  /** Grows whenever everything is to be read again. */
  tick: number;
  /** Whether the theme is dark: charts read their colours anew. */
  dark: boolean;
}

const Context = createContext<Place | null>(null);

export function PlaceProvider({ place, children }: { place: Place; children: ComponentChildren }) {
  return <Context.Provider value={place}>{children}</Context.Provider>;
}

export function usePlace(): Place {
  const place = useContext(Context);
  if (place === null) {
    throw new Error("There is no PlaceProvider above");
  }
  return place;
}

/** The time of the view, as questions take it. */
export function useTime(): { from: string | null; to: string | null } {
  const { view } = usePlace();
  return useMemo(() => ({ from: view.from, to: view.to }), [view.from, view.to]);
}

/** The view in the address, and the way to another; back and forward work. */
export function useAddress(): [View, Navigate] {
  const [view, setView] = useState(() => parseView(location.search));
  useEffect(() => {
    const read = () => setView(parseView(location.search));
    addEventListener("popstate", read);
    return () => removeEventListener("popstate", read);
  }, []);
  const navigate = useCallback<Navigate>((next, place) => {
    history.pushState(null, "", viewAddress(next, place));
    setView((before) => {
      if (before.page !== next.page && place === undefined) {
        scrollTo(0, 0);
      }
      return next;
    });
    if (place !== undefined) {
      // After the page that it is on has been drawn.
      requestAnimationFrame(() => {
        document.querySelector(place)?.scrollIntoView();
        document.querySelector<HTMLElement>(place)?.focus({ preventScroll: true });
      });
    }
  }, []);
  return [view, navigate];
}

export function viewAddress(view: View, place = ""): string {
  return `${location.pathname}${formatView(view)}${place}`;
}
