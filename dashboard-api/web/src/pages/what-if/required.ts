/** What the gate must hold limits against, as the address has it: NAME:VALUE. */
import type { Requirements } from "../../api/schema";

/** The bounds that are one number, in the order of their form. */
export const BOUNDS = [
  ["min_hours", "Hours of evidence, at least", "h"],
  ["completeness_min", "Share of the limiter’s lines that were read, at least", "0 to 1"],
  ["unavailable_share_max", "Share of calls with the limiter unavailable, at most", "0 to 1"],
  ["aware_share_min", "Share of calls from clients that know 429s, at least", "0 to 1"],
  ["single_row_refused_share_max", "Single-row calls refused at least once, at most", "0 to 1"],
  ["allowance_used_max", "Attempts of one user in a day, at most", "attempts"],
] as const;

export type Bound = (typeof BOUNDS)[number][0];

/** Where a reader starts: a week, hardly a line missing, and single rows hardly ever refused. */
export const STARTING: readonly string[] = [
  "min_hours:168",
  "completeness_min:0.999",
  "unavailable_share_max:0.01",
  "single_row_refused_share_max:0.05",
];

const isBound = (name: string): name is Bound => BOUNDS.some(([bound]) => bound === name);

/** The requirements in an address, or those to start from; what isn't one is left out. */
export function required(given: readonly string[] | undefined): Requirements {
  const require: Requirements = {};
  for (const text of given ?? STARTING) {
    const at = text.indexOf(":");
    const name = text.slice(0, at);
    const value = text.slice(at + 1).trim();
    const number = value === "" ? Number.NaN : Number(value);
    if (name === "constraint" && value !== "") {
      require.constraints = [...(require.constraints ?? []), value];
    } else if (name === "accept" && value !== "") {
      require.accept_holes = [...(require.accept_holes ?? []), value];
    } else if (name === "weekly_peak" && value === "true") {
      require.weekly_peak = true;
    } else if (Number.isFinite(number) && number >= 0) {
      if (isBound(name)) {
        require[name] = number;
      } else if (name.startsWith("tier.") && name.length > 5) {
        require.protected_tiers = { ...require.protected_tiers, [name.slice(5)]: number };
      }
    }
  }
  return require;
}

/** The address's form of requirements. */
export function toRequire(require: Requirements): string[] {
  return [
    ...BOUNDS.flatMap(([name]) =>
      require[name] === undefined ? [] : [`${name}:${require[name]}`],
    ),
    ...(require.weekly_peak === true ? ["weekly_peak:true"] : []),
    ...Object.entries(require.protected_tiers ?? {}).map(([tier, most]) => `tier.${tier}:${most}`),
    ...(require.constraints ?? []).map((one) => `constraint:${one}`),
    ...(require.accept_holes ?? []).map((one) => `accept:${one}`),
  ];
}

/** The lines of a text, without empty ones. */
export function lines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
