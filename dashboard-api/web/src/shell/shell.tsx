import type { ComponentChildren } from "preact";
import { useCallback, useState } from "preact/hooks";
import { ViewLink } from "../parts/figure";
import { Menu } from "../parts/menu";
import { keep, kept } from "../state/kept";
import { usePlace } from "../state/place";
import { type Theme, THEMES } from "../state/theme";
import { onPage, PAGES, type PageId, REFRESH_CHOICES } from "../state/view";
import { Account } from "./account";
import { Completeness } from "./completeness";
import { Help } from "./help";
import { Login } from "./login";
import { SavedViews } from "./saved-views";
import { useShortcuts } from "./shortcuts";
import { TimePicker } from "./time-picker";

const TITLES: Record<PageId, string> = {
  overview: "Overview",
  lanes: "Lanes",
  latency: "Latency",
  people: "People",
  calls: "Calls",
  "what-if": "What-if",
  alarms: "Alarms",
  quality: "Data quality",
};

/** What every page has round it: the ways to the others, the time, and whether to trust it. */
export function Shell({
  refresh,
  theme,
  chooseTheme,
  children,
}: {
  refresh: () => void;
  theme: Theme;
  chooseTheme: (theme: Theme) => void;
  children: ComponentChildren;
}) {
  const { view, navigate, dark } = usePlace();
  const [helping, setHelping] = useState(false);
  const [keys, setKeys] = useState(() => kept("shortcuts") !== "off");
  const help = useCallback(() => setHelping(true), []);
  const toggleTheme = useCallback(
    () => chooseTheme(dark ? "light" : "dark"),
    [dark, chooseTheme],
  );
  useShortcuts({ on: keys && !helping, refresh, toggleTheme, help });
  return (
    <>
      <a class="skip" href="#page">
        Skip to the page
      </a>
      <header class="shell">
        <div class="bar-top">
          <p class="brand">Capacity observatory</p>
          <nav aria-label="Pages">
            {PAGES.map((page) => (
              <ViewLink key={page} view={onPage(view, page)} current={page === view.page}>
                {TITLES[page]}
              </ViewLink>
            ))}
          </nav>
        </div>
        <div class="bar-time">
          <TimePicker />
          <label>
            <span class="hidden">Refresh</span>
            <select
              value={String(view.refresh)}
              onChange={(event) =>
                navigate({ ...view, refresh: Number(event.currentTarget.value) })
              }
            >
              {REFRESH_CHOICES.map((seconds) => (
                <option key={seconds} value={String(seconds)}>
                  {seconds === 0 ? "no refresh" : `every ${seconds} s`}
                </option>
              ))}
            </select>
          </label>
          <button type="button" title="Read again ( r )" onClick={refresh}>
            Refresh
          </button>
          <SavedViews />
          <Menu label="Settings and help" sign="☰" id="settings">
            <Account changed={refresh} />
            <label>
              Theme{" "}
              <select
                value={theme}
                onChange={(event) => chooseTheme(event.currentTarget.value as Theme)}
              >
                {THEMES.map((one) => (
                  <option key={one}>{one}</option>
                ))}
              </select>
            </label>
            <button type="button" onClick={help}>
              Keyboard shortcuts
            </button>
            <a href="docs">API description</a>
          </Menu>
        </div>
        <Completeness />
      </header>
      <main id="page" tabIndex={-1} data-page={view.page}>
        <h1 class="hidden">{TITLES[view.page]}</h1>
        {children}
      </main>
      <footer>
        Times are UTC, your own on hover. Refused counts calls that were refused or would have been.
      </footer>
      <Login done={refresh} />
      <Help
        open={helping}
        close={() => setHelping(false)}
        on={keys}
        setOn={(on) => {
          keep("shortcuts", on ? "on" : "off");
          setKeys(on);
        }}
      />
    </>
  );
}
