/** The period as long as the shown one, just before it; null for one without bounds. */
export function previousPeriod(shown: {
  from: string | null;
  to: string | null;
}): { from: string; to: string } | null {
  if (shown.from === null || shown.to === null) {
    return null;
  }
  const from = Date.parse(shown.from);
  const before = from - (Date.parse(shown.to) - from);
  return { from: new Date(before).toISOString().replace(".000", ""), to: shown.from };
}
