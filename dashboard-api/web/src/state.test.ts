import { describe, expect, it } from "vitest";
import { apiUrl, callsUrl, EMPTY_VIEW, filteredView, formatView, parseView } from "./state";

describe("state", () => {
  it("keeps a view through the address and back", () => {
    const view = {
      from: "-1h",
      to: "2026-11-30T09:48:00+02:00",
      refresh: 0,
      filters: { tier: ["core", "a&b=c"], missing: ["scope"] },
      cursor: "abc_-",
    };
    expect(parseView(formatView(view))).toEqual(view);
  });

  it("has a plain address for the plain page", () => {
    expect(formatView(EMPTY_VIEW)).toBe("");
    expect(parseView("")).toEqual(EMPTY_VIEW);
  });

  it("ignores what it doesn't know", () => {
    expect(parseView("?x=1&refresh=7&f.nothing=1")).toEqual(EMPTY_VIEW);
  });

  it("asks the API for the same time, with + escaped", () => {
    const view = { ...EMPTY_VIEW, from: "2026-11-30T09:48:00+02:00" };
    expect(apiUrl("decisions", view, { group_by: "tier" })).toBe(
      "api/v1/decisions?from=2026-11-30T09%3A48%3A00%2B02%3A00&group_by=tier",
    );
    expect(apiUrl("pipeline", EMPTY_VIEW)).toBe("api/v1/pipeline");
  });

  it("asks for the calls behind a number, null as missing", () => {
    const core = filteredView({ ...EMPTY_VIEW, from: "-1h", cursor: "old" }, "tier", "core");
    expect(callsUrl(core, 50)).toBe("api/v1/calls?from=-1h&limit=50&tier=core&untimed=false");
    const none = filteredView(EMPTY_VIEW, "tier", null, { decision: ["refused"] });
    expect(callsUrl(none, 50)).toBe(
      "api/v1/calls?limit=50&decision=refused&missing=tier&untimed=false",
    );
  });
});
