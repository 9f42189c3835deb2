/** The limits asked about, as the address has them: PATH:VALUE. */

/** Whom enforcement is for. */
export const ENFORCE = [
  ["config", "as the config says"],
  ["all", "all clients"],
  ["aware", "aware clients only"],
] as const;

const PATH = /^[a-z0-9_.]{1,100}$/i;

/** The changes of some PATH:VALUE; what isn't one is left out. */
export function asked(set: readonly string[]): Record<string, number> {
  const changes: Record<string, number> = {};
  for (const text of set) {
    const at = text.lastIndexOf(":");
    const path = text.slice(0, at);
    const value = Number(text.slice(at + 1));
    if (PATH.test(path) && Number.isInteger(value) && value >= 0) {
      changes[path] = value;
    }
  }
  return changes;
}

/** The address's form of changes, without those that change nothing. */
export function toSet(
  changes: Readonly<Record<string, number>>,
  inForce: Readonly<Record<string, unknown>>,
): string[] {
  return Object.entries(changes)
    .filter(([path, value]) => inForce[path] !== value)
    .map(([path, value]) => `${path}:${value}`);
}

/** What may be moved: whole numbers that are limits, in the limiter's order. */
export function limitPaths(config: Readonly<Record<string, unknown>>): string[] {
  const order = ["api_heavy.", "es2_knn", "reserve_single_row", "tiers.", "per_user."];
  const rank = (path: string) => order.findIndex((start) => path.startsWith(start));
  return Object.keys(config)
    .filter((path) => rank(path) >= 0 && typeof config[path] === "number")
    .sort((a, b) => rank(a) - rank(b));
}

/** The far end of a slider: room to more than double, and never so little that it can't be moved. */
export function farEnd(inForce: number, now: number): number {
  return Math.max(8, inForce * 3, now);
}
