import { describe, expect, it } from "vitest";
import { address, ask, posting } from "./client";

describe("the API's addresses", () => {
  it("repeat lists, leave out what is missing, and escape", () => {
    expect(
      ask("/api/v1/calls", { from: "2026-11-30T09:48:00+02:00", to: null, tier: ["a", "b&c"] }).url,
    ).toBe("api/v1/calls?from=2026-11-30T09%3A48%3A00%2B02%3A00&tier=a&tier=b%26c");
    expect(ask("/api/v1/pipeline").url).toBe("api/v1/pipeline");
  });

  it("fill a path, and never beyond its own part", () => {
    expect(address("/api/v1/calls/{event_id}", {}, { event_id: "../pipeline?x=1" })).toBe(
      "api/v1/calls/..%2Fpipeline%3Fx%3D1",
    );
  });

  it("carry a body beside the address", () => {
    const body = { from: "2026-11-30T09:00:00Z", to: "2026-11-30T10:00:00Z", changes: {} };
    expect(posting("/api/v1/what-if", body)).toEqual({ url: "api/v1/what-if", body });
  });
});
