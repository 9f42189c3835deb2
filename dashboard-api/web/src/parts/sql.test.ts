import { describe, expect, it } from "vitest";
import { callOf } from "./sql";

describe("the call whose SQL is shown", () => {
  it("is the panel's own, or for a replay that of its period", () => {
    expect(callOf("api/v1/lanes?from=-1h", undefined)).toBe("/api/v1/lanes?from=-1h");
    expect(
      callOf("api/v1/gate", '{"from":"2026-11-30T09:00:00Z","to":"2026-11-30T10:00:00Z","changes":{}}'),
    ).toBe("/api/v1/gate?from=2026-11-30T09%3A00%3A00Z&to=2026-11-30T10%3A00%3A00Z");
    expect(callOf("", undefined)).toBeNull();
  });
});
