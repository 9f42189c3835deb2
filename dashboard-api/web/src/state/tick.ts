import { useCallback, useEffect, useRef, useState } from "preact/hooks";

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
