import { describe, expect, it } from "vitest";
import { EMPTY_VIEW } from "../state/view";
import { sorted, sortOf, toggled } from "./sort";

describe("sort", () => {
  it("begins with the largest number or the first name, turns round, then ends", () => {
    const once = toggled(EMPTY_VIEW, "tiers", "calls", true);
    expect(sortOf(once, "tiers")).toEqual({ column: "calls", down: true });
    const twice = toggled(once, "tiers", "calls", true);
    expect(sortOf(twice, "tiers")).toEqual({ column: "calls", down: false });
    expect(sortOf(toggled(twice, "tiers", "calls", true), "tiers")).toBeNull();
    expect(sortOf(toggled(EMPTY_VIEW, "tiers", "name", false), "tiers")?.down).toBe(false);
  });

  it("leaves other tables as they are", () => {
    const both = toggled(toggled(EMPTY_VIEW, "a", "x", true), "b", "y", true);
    expect(both.sort).toEqual(["a:x:desc", "b:y:desc"]);
  });

  it("puts what is missing last either way, and 0 among the numbers", () => {
    const rows = [3, null, 0, 12];
    expect(sorted(rows, (n) => n, false)).toEqual([0, 3, 12, null]);
    expect(sorted(rows, (n) => n, true)).toEqual([12, 3, 0, null]);
  });

  it("orders names as people do", () => {
    expect(sorted(["run-10", "run-9", "Run-1"], (s) => s, false)).toEqual(["Run-1", "run-9", "run-10"]);
  });
});
