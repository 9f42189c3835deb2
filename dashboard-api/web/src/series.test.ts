import { describe, expect, it } from "vitest";
import { decisionOrder, firstOpenStep, stacked } from "./series";

describe("series", () => {
  it("stacks, and leaves what is not known unknown", () => {
    expect(
      stacked([
        [3, 0, null],
        [9, 1, null],
      ]),
    ).toEqual([
      [3, 0, null],
      [12, 1, null],
    ]);
    expect(stacked([])).toEqual([]);
  });

  it("finds the open steps at the end only", () => {
    expect(firstOpenStep([false, true, false, false])).toBe(2);
    expect(firstOpenStep([true, true])).toBe(2);
    expect(firstOpenStep([false])).toBe(0);
    expect(firstOpenStep([])).toBe(0);
  });

  it("orders decisions, new ones last", () => {
    expect(decisionOrder(["refused", "deferred", "admitted", "Admitted", "shadow-refused"])).toEqual([
      "admitted",
      "shadow-refused",
      "refused",
      "Admitted",
      "deferred",
    ]);
  });
});
