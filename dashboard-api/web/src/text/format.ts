/** Numbers, times and shares as text; what is missing is a dash, never 0. */

export const MISSING = "–";

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? MISSING : whole.format(value);
}

/** A fraction as percent with one decimal; nothing that isn't 0 or 1 is shown as such. */
export function share(value: number | null | undefined): string {
  if (value === null || value === undefined) {
    return MISSING;
  }
  const percent = value * 100;
  if (percent > 0 && percent < 0.05) {
    return "< 0.1 %";
  }
  if (percent < 100 && percent >= 99.95) {
    return "> 99.9 %";
  }
  return `${percent.toFixed(1)} %`;
}

export function milliseconds(value: number | null | undefined): string {
  return value === null || value === undefined ? MISSING : `${whole.format(value)} ms`;
}

export function bytes(value: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let amount = value;
  let unit = 0;
  while (amount >= 1024 && unit < units.length - 1) {
    amount /= 1024;
    unit++;
  }
  return `${unit === 0 ? amount : amount.toFixed(1)} ${units[unit]}`;
}

export function duration(seconds: number): string {
  if (seconds < 60) {
    return `${Math.round(seconds)} s`;
  }
  const units: [number, string][] = [
    [86400, "d"],
    [3600, "h"],
    [60, "min"],
  ];
  const parts: string[] = [];
  let rest = Math.round(seconds);
  for (const [size, name] of units) {
    const amount = Math.floor(rest / size);
    if (amount > 0) {
      parts.push(`${amount} ${name}`);
    }
    rest -= amount * size;
  }
  return parts.slice(0, 2).join(" ");
}

/** "2026-11-30 09:48:14" of an RFC 3339 time, in UTC. */
export function utc(time: string, withSeconds = true): string {
  const text = new Date(time).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, withSeconds ? 19 : 16)}`;
}

/** The same moment where the reader is, for a tooltip. */
export function local(time: string): string {
  return `${new Date(time).toLocaleString()} local time`;
}

/** A dimension's value for people. */
export function groupName(value: string | boolean | null): string {
  if (value === null) {
    return "(none)";
  }
  if (typeof value === "boolean") {
    return value ? "yes" : "no";
  }
  return value === "" ? "(empty)" : value;
}

/** How a share differs from an earlier one, in points. */
export function change(before: number | null, now: number | null): string {
  if (before === null || now === null) {
    return MISSING;
  }
  const points = (now - before) * 100;
  if (Math.abs(points) < 0.05) {
    return "the same";
  }
  return `${Math.abs(points).toFixed(1)} points ${points > 0 ? "more" : "less"}`;
}

const twoPlaces = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });

/** A number with at most two places. */
export function decimal(value: number | null | undefined): string {
  return value === null || value === undefined ? MISSING : twoPlaces.format(value);
}

/** A length of time given in ms, in the unit that suits it. */
export function span(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) {
    return MISSING;
  }
  return ms < 60_000 ? `${decimal(ms / 1000)} s` : duration(ms / 1000);
}
