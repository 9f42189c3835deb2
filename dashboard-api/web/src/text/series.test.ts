import { describe, expect, it } from "vitest";
import { decisionOrder, firstOpenStep, stacked, timeLabels } from "./series";

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

  it("labels a time axis in UTC, the day where it changes", () => {
    const evening = Date.parse("2026-11-30T23:30:00Z") / 1000;
    expect(timeLabels([evening, evening + 900, evening + 1800])).toEqual([
      "23:30\n2026-11-30",
      "23:45",
      "00:00\n2026-12-01",
    ]);
    const midnight = evening + 1800;
    expect(timeLabels([midnight, midnight + 86_400])).toEqual(["2026-12-01", "2026-12-02"]);
    expect(timeLabels([evening + 30])).toEqual(["23:30:30\n2026-11-30"]);
  });
});
