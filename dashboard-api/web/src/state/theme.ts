import { useCallback, useEffect, useLayoutEffect, useState } from "preact/hooks";
import { keep, kept } from "./kept";

export const THEMES = ["auto", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** The reader's choice of theme, whether that is dark now, and how to choose. */
export function useTheme(): [Theme, boolean, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(
    () => THEMES.find((one) => one === kept("theme")) ?? "auto",
  );
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
    keep("theme", next);
    setTheme(next);
  }, []);
  return [theme, dark, choose];
}

function darkQuery(): MediaQueryList {
  return matchMedia("(prefers-color-scheme: dark)");
}
