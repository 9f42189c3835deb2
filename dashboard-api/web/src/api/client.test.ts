import { describe, expect, it } from "vitest";
import { ApiError, address, ask, posting, patiently } from "./client";

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

describe("what was refused for being busy", () => {
  const busy = new ApiError("Too many requests", 429, 2);

  async function asked(failures: readonly unknown[]): Promise<[unknown, number[]]> {
    const left = [...failures];
    const waited: number[] = [];
    const answer = await patiently(
      () => (left.length === 0 ? Promise.resolve("there") : Promise.reject(left.shift())),
      new AbortController().signal,
      async (length) => void waited.push(length),
    ).catch((error: unknown) => error);
    return [answer, waited];
  }

  it("is asked again after as long as the API says, and not for ever", async () => {
    expect(await asked([])).toEqual(["there", []]);
    expect(await asked([busy, busy])).toEqual(["there", [2, 2]]);
    expect(await asked([busy, busy, busy, busy])).toEqual([busy, [2, 2, 2]]);
  });

  it("and nothing else is", async () => {
    const down = new ApiError("ClickHouse can’t be reached", 503, 2);
    expect(await asked([down])).toEqual([down, []]);
  });
});
