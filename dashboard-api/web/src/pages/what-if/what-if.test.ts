import { describe, expect, it } from "vitest";
import { asked, farEnd, limitPaths, toSet } from "./asked";
import { apart, intervalText } from "./estimates";
import { lines, required, STARTING, toRequire } from "./required";
import { limitAt } from "./result";
import { share } from "../../text/format";

describe("the limits asked about", () => {
  it("come from the address and go there, without what changes nothing", () => {
    const changes = asked(["tiers.preview:3", "api_heavy.cluster:4"]);
    expect(changes).toEqual({ "tiers.preview": 3, "api_heavy.cluster": 4 });
    expect(toSet(changes, { "tiers.preview": 2, "api_heavy.cluster": 4 })).toEqual([
      "tiers.preview:3",
    ]);
  });

  it("are whole numbers, 0 or more; anything else is left out", () => {
    expect(asked(["a:-1", "b:1.5", "c:x", "d", ":3", "<img>:1", "e:0"])).toEqual({ e: 0 });
  });

  it("are offered in the limiter's order, and only limits are", () => {
    const config = {
      mode: "shadow",
      "per_user.core": 3,
      "tiers.core": 4,
      lease_seconds: 60,
      es2_knn: 3,
      "api_heavy.cluster": 4,
    };
    expect(limitPaths(config)).toEqual([
      "api_heavy.cluster",
      "es2_knn",
      "tiers.core",
      "per_user.core",
    ]);
  });

  it("have room to be raised, also from 0", () => {
    expect(farEnd(0, 0)).toBe(8);
    expect(farEnd(10, 0)).toBe(30);
    expect(farEnd(2, 50)).toBe(50);
  });
});

describe("estimates", () => {
  it("have an interval only where there is one", () => {
    expect(intervalText({ value: 0.6, low: 0.5, high: 0.7 }, share)).toBe("50.0 % to 70.0 %");
    expect(intervalText({ value: 4, low: 4, high: 4 }, String)).toBeNull();
    expect(intervalText({ value: 4, low: null, high: null }, String)).toBeNull();
  });

  it("differ surely only where the intervals don't touch", () => {
    const low = { value: 1, low: 0, high: 2 };
    expect(apart(low, { value: 4, low: 3, high: 5 })).toBe(true);
    expect(apart(low, { value: 3, low: 2, high: 5 })).toBe(false);
    expect(apart(low, null)).toBe(false);
  });
});

describe("a calibration's config", () => {
  it("is read by dotted path", () => {
    const config = { api_heavy: { cluster: 4 }, es2_knn: 3 };
    expect(limitAt(config, "api_heavy.cluster")).toBe(4);
    expect(limitAt(config, "es2_knn")).toBe(3);
    expect(limitAt(config, "tiers.core")).toBeNull();
    expect(limitAt(undefined, "es2_knn")).toBeNull();
  });
});

describe("what must hold", () => {
  it("goes to the address and comes back", () => {
    const all = [
      "min_hours:168",
      "completeness_min:0.999",
      "weekly_peak:true",
      "tier.staff:0.05",
      "constraint:by.tier.*.given_up_share <= 0.1%",
      "accept:late_envelope_time",
    ];
    expect(required(all)).toEqual({
      min_hours: 168,
      completeness_min: 0.999,
      weekly_peak: true,
      protected_tiers: { staff: 0.05 },
      constraints: ["by.tier.*.given_up_share <= 0.1%"],
      accept_holes: ["late_envelope_time"],
    });
    expect(toRequire(required(all))).toEqual(all);
  });

  it("starts somewhere, and an empty value requires nothing", () => {
    expect(toRequire(required(undefined))).toEqual(STARTING);
    expect(required(["min_hours:", "min_hours:-1", "min_hours:x", "tier.:1", "other:1"])).toEqual({});
    expect(lines("a\n\n  b ")).toEqual(["a", "b"]);
  });
});
