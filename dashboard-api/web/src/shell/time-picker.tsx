import { useEffect, useState } from "preact/hooks";
import { Menu } from "../parts/menu";
import { usePlace } from "../state/place";
import { withTime } from "../state/view";
import { RANGES, rangeName, useShownTime } from "./ranges";

/** The time that all panels are about: relative, by hand, or moved and widened from here. */
export function TimePicker() {
  const { view, navigate } = usePlace();
  const moved = useShownTime();
  const [from, setFrom] = useState(view.from ?? "");
  const [to, setTo] = useState(view.to ?? "");
  useEffect(() => {
    setFrom(view.from ?? "");
    setTo(view.to ?? "");
  }, [view.from, view.to]);
  return (
    <div class="time-picker" role="group" aria-label="Period">
      <button type="button" title="Earlier ( [ )" aria-label="Earlier" onClick={() => moved({ by: -0.5 })}>
        ‹
      </button>
      <Menu label={`${rangeName(view)}: choose the period`} sign={rangeName(view)} id="period-menu">
        <div class="ranges">
          {RANGES.map(([name, start]) => (
            <button
              key={name}
              type="button"
              aria-pressed={view.from === start && view.to === null}
              onClick={() => navigate(withTime(view, start, null))}
            >
              {name}
            </button>
          ))}
        </div>
        <form
          class="custom"
          onSubmit={(event) => {
            event.preventDefault();
            navigate(withTime(view, from.trim() || null, to.trim() || null));
          }}
        >
          <label>
            From
            <input
              value={from}
              placeholder="start of data"
              size={20}
              onInput={(event) => setFrom(event.currentTarget.value)}
            />
          </label>
          <label>
            To
            <input
              value={to}
              placeholder="now"
              size={20}
              onInput={(event) => setTo(event.currentTarget.value)}
            />
          </label>
          <button type="submit">Show</button>
          <p class="quiet">UTC as 2026-11-30T09:48:00Z, or back from now as -90m, -2h, -7d.</p>
        </form>
      </Menu>
      <button type="button" title="Later ( ] )" aria-label="Later" onClick={() => moved({ by: 0.5 })}>
        ›
      </button>
      <button type="button" title="Twice as long ( z )" aria-label="Zoom out" onClick={() => moved({ grow: 2 })}>
        −
      </button>
    </div>
  );
}
