import { describe, expect, it } from "vitest";
import {
  callsView,
  EMPTY_VIEW,
  filtersOf,
  formatView,
  linkedView,
  movedTime,
  onPage,
  parseView,
  refusedAmong,
  relativeSeconds,
  rowsView,
  type View,
  withOwn,
  withTime,
} from "./view";

describe("view", () => {
  it("keeps a view through the address and back", () => {
    const view: View = {
      page: "calls",
      from: "-1h",
      to: "2026-11-30T09:48:00+02:00",
      refresh: 0,
      own: { "f.tier": ["core", "a&b=c"], "f.missing": ["scope"], cursor: ["abc_-"] },
      sort: ["calls:held_ms:desc"],
    };
    expect(parseView(formatView(view))).toEqual(view);
  });

  it("has a plain address for the plain page", () => {
    expect(formatView(EMPTY_VIEW)).toBe("");
    expect(parseView("")).toEqual(EMPTY_VIEW);
  });

  it("ignores what it doesn't know, and what belongs to another page", () => {
    expect(parseView("?x=1&refresh=7&page=nothing&sort=a&f.tier=core")).toEqual(EMPTY_VIEW);
  });

  it("goes to another page with the same time and nothing of the old page's own", () => {
    const calls = callsView({ ...EMPTY_VIEW, from: "-1h" }, { tier: ["core"] });
    expect(formatView(onPage(calls, "lanes"))).toBe("?page=lanes&from=-1h");
  });

  it("leads to the calls behind a number, null as missing", () => {
    const core = rowsView({ ...EMPTY_VIEW, from: "-1h" }, "tier", "core");
    expect(formatView(core)).toBe("?page=calls&from=-1h&f.tier=core&f.untimed=false");
    expect(filtersOf(rowsView(EMPTY_VIEW, "tier", null, { decision: ["refused"] }))).toEqual({
      missing: ["tier"],
      decision: ["refused"],
      untimed: ["false"],
    });
  });

  it("shows the rows that the API links to, or nothing when it can't", () => {
    const rows = "/api/v1/calls?from=2026-11-30T09:48:00Z&to=2026-11-30T09:50:00Z&untimed=false&tier=core";
    expect(linkedView({ ...EMPTY_VIEW, from: "-1h" }, rows)).toEqual({
      ...EMPTY_VIEW,
      page: "calls",
      from: "2026-11-30T09:48:00Z",
      to: "2026-11-30T09:50:00Z",
      own: { "f.untimed": ["false"], "f.tier": ["core"] },
    });
    expect(linkedView(EMPTY_VIEW, null)).toBeNull();
    expect(linkedView(EMPTY_VIEW, "/api/v1/calls?unheard=1")).toBeNull();
  });

  it("leaves the place in a list when the time changes", () => {
    const second = withOwn(onPage(EMPTY_VIEW, "calls"), { cursor: ["next"], "f.tier": ["core"] });
    expect(withTime(second, "-1h", null).own).toEqual({ "f.tier": ["core"] });
  });

  it("moves and widens the time about its middle", () => {
    const shown = { from: "2026-11-30T10:00:00Z", to: "2026-11-30T11:00:00Z" };
    expect(movedTime(EMPTY_VIEW, shown, { by: -0.5 })).toMatchObject({
      from: "2026-11-30T09:30:00Z",
      to: "2026-11-30T10:30:00Z",
    });
    expect(movedTime(EMPTY_VIEW, shown, { grow: 2 })).toMatchObject({
      from: "2026-11-30T09:30:00Z",
      to: "2026-11-30T11:30:00Z",
    });
  });

  it("knows relative times", () => {
    expect(relativeSeconds("-90m")).toBe(5400);
    expect(relativeSeconds("-7d")).toBe(604800);
    expect(relativeSeconds("2026-11-30T10:00:00Z")).toBeNull();
    expect(relativeSeconds(null)).toBeNull();
  });

  it("finds the refused among the rows behind a number", () => {
    expect(refusedAmong("/api/v1/calls?tier=core")).toBe(
      "/api/v1/calls?tier=core&decision=shadow-refused&decision=refused",
    );
    expect(refusedAmong("/api/v1/calls?decision=admitted")).toBeNull();
    expect(refusedAmong(null)).toBeNull();
  });
});
