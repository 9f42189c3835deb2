import { describe, expect, it } from "vitest";
import type { Calibration } from "../../api/schema";
import { change } from "../../text/format";
import { newestCorrection } from "./corrected";
import { previousPeriod } from "./previous";

describe("the period before", () => {
  it("is as long and ends where this one begins", () => {
    expect(
      previousPeriod({ from: "2026-11-30T10:00:00Z", to: "2026-11-30T10:17:00Z" }),
    ).toEqual({ from: "2026-11-30T09:43:00Z", to: "2026-11-30T10:00:00Z" });
    expect(previousPeriod({ from: null, to: null })).toBeNull();
  });

  it("is told apart in points of a share", () => {
    expect(change(0.5, 0.564)).toBe("6.4 points more");
    expect(change(0.564, 0.5)).toBe("6.4 points less");
    expect(change(0.5, 0.5001)).toBe("the same");
    expect(change(null, 0.5)).toBe("–");
  });
});

describe("the corrected share", () => {
  const done: Calibration = {
    id: "1",
    state: "done",
    progress: null,
    problem: null,
    started_at: "2026-11-30T11:00:00Z",
    ended_at: "2026-11-30T11:01:00Z",
    from: "2026-11-30T09:00:00Z",
    to: "2026-11-30T10:00:00Z",
    changes: {},
    enforce_for: "all",
    explore: true,
    calls: 100,
    conclusive: true,
    shadow_refused_share: 0.77,
    refused_calls_share: { value: 0.61, low: 0.58, high: 0.65 },
  };

  it("comes from the newest calibration of the limits in force that concluded", () => {
    const asked = { ...done, id: "2", changes: { "tiers.preview": 3 } };
    const unsure = { ...done, id: "3", conclusive: false };
    const running = { ...done, id: "4", state: "running" as const, refused_calls_share: null };
    expect(newestCorrection([asked, unsure, running, done])?.job.id).toBe("1");
    expect(newestCorrection([asked, unsure, running])).toBeNull();
  });
});
