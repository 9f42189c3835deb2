/** How many colours a heat map has: heat-1, the faintest, to this one, in style.css. */
export const HEAT_LEVELS = 7;

/** The colour of a part of the most there is: 0 for none; of little, still the first. */
export function heatLevel(part: number): number {
  if (part <= 0) {
    return 0;
  }
  // By the root, so that few among very many are still seen.
  return Math.min(HEAT_LEVELS, Math.max(1, Math.ceil(Math.sqrt(part) * HEAT_LEVELS)));
}
