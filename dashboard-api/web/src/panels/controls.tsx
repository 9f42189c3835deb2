import { useEffect, useState } from "preact/hooks";
import type { Navigate, Theme } from "../hooks";
import { REFRESH_CHOICES, type View } from "../state";

const RANGES: [string, string | null][] = [
  ["15 min", "-15m"],
  ["1 h", "-1h"],
  ["6 h", "-6h"],
  ["24 h", "-24h"],
  ["7 d", "-7d"],
  ["30 d", "-30d"],
  ["All", null],
];

/** What time the page is about, how often it is read again, and its looks. */
export function Controls({
  view,
  navigate,
  refreshNow,
  theme,
  chooseTheme,
}: {
  view: View;
  navigate: Navigate;
  refreshNow: () => void;
  theme: Theme;
  chooseTheme: (theme: Theme) => void;
}) {
  const [from, setFrom] = useState(view.from ?? "");
  const [to, setTo] = useState(view.to ?? "");
  useEffect(() => {
    setFrom(view.from ?? "");
    setTo(view.to ?? "");
  }, [view.from, view.to]);
  const show = (nextFrom: string | null, nextTo: string | null) =>
    navigate({ ...view, from: nextFrom, to: nextTo, cursor: null });
  return (
    <header class="controls">
      <h1>Capacity observatory</h1>
      <div class="ranges" role="group" aria-label="Period">
        {RANGES.map(([name, start]) => (
          <button
            key={name}
            type="button"
            aria-pressed={view.from === start && view.to === null}
            onClick={() => show(start, null)}
          >
            {name}
          </button>
        ))}
      </div>
      <form
        class="custom"
        onSubmit={(event) => {
          event.preventDefault();
          show(from.trim() || null, to.trim() || null);
        }}
      >
        <label>
          From{" "}
          <input
            value={from}
            placeholder="start of data"
            size={20}
            onInput={(event) => setFrom(event.currentTarget.value)}
          />
        </label>
        <label>
          to{" "}
          <input
            value={to}
            placeholder="now"
            size={20}
            onInput={(event) => setTo(event.currentTarget.value)}
          />
        </label>
        <button type="submit">Show</button>
      </form>
      <div class="refresh">
        <label>
          Refresh{" "}
          <select
            value={String(view.refresh)}
            onChange={(event) => navigate({ ...view, refresh: Number(event.currentTarget.value) })}
          >
            {REFRESH_CHOICES.map((seconds) => (
              <option key={seconds} value={String(seconds)}>
                {seconds === 0 ? "off" : `${seconds} s`}
              </option>
            ))}
          </select>
        </label>
        <button type="button" onClick={refreshNow}>
          Now
        </button>
        <label>
          Theme{" "}
          <select
            value={theme}
            onChange={(event) => chooseTheme(event.currentTarget.value as Theme)}
          >
            <option value="auto">auto</option>
            <option value="light">light</option>
            <option value="dark">dark</option>
          </select>
        </label>
      </div>
    </header>
  );
}
