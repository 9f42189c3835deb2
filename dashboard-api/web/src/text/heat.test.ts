import { describe, expect, it } from "vitest";
import { HEAT_LEVELS, heatLevel } from "./heat";

describe("heat", () => {
  it("shows little as something, nothing as nothing, and all as the most", () => {
    expect(heatLevel(0)).toBe(0);
    expect(heatLevel(0.000_001)).toBe(1);
    expect(heatLevel(1)).toBe(HEAT_LEVELS);
    expect(heatLevel(2)).toBe(HEAT_LEVELS);
    expect(heatLevel(0.25)).toBe(4);
  });
});
