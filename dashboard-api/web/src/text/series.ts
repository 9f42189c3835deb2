/** Arithmetic on series before they are drawn. */

export type Points = readonly (number | null)[];

/**
 * Each series added to all before it, so that the last is the total; null stays null.
 */
export function stacked(series: readonly Points[]): Points[] {
  const sums: number[] = [];
  return series.map((points) =>
    points.map((value, i) => {
      if (value === null) {
        return null;
      }
      sums[i] = (sums[i] ?? 0) + value;
      return sums[i] ?? null;
    }),
  );
}

/** Where the steps at the end that can still change begin; the length when there are none. */
export function firstOpenStep(complete: readonly boolean[]): number {
  let open = complete.length;
  while (open > 0 && complete[open - 1] === false) {
    open--;
  }
  return open;
}

/** Known decisions first, in the order of what they cost; then the others by name. */
export function decisionOrder(names: string[]): string[] {
  const known = ["admitted", "unavailable", "shadow-refused", "refused"];
  const rank = (name: string) => (known.includes(name) ? known.indexOf(name) : known.length);
  return [...names].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0));
}

/** Labels of a time axis in UTC: the hour and minute, with the day where a new one begins. */
export function timeLabels(seconds: number[]): string[] {
  let lastDay = "";
  const wholeDays = seconds.every((second) => second % 86_400 === 0);
  return seconds.map((second) => {
    const text = new Date(second * 1000).toISOString();
    const day = text.slice(0, 10);
    const time = text.slice(11, second % 60 === 0 ? 16 : 19);
    const label = wholeDays ? day : day === lastDay ? time : `${time}\n${day}`;
    lastDay = day;
    return label;
  });
}

/** Each decision's colour in style.css; decisions that are new share one. */
export function decisionColor(decision: string): string {
  const known = ["admitted", "shadow-refused", "refused", "unavailable"];
  return known.includes(decision) ? decision : "other";
}
