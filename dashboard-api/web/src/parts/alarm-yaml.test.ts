import { describe, expect, it } from "vitest";
import { alarmYaml } from "./alarm-yaml";

describe("an alarm from a chart", () => {
  it("is a whole rules file, with the chart's filters", () => {
    expect(
      alarmYaml({
        name: "LaneFull",
        metric: "lane_full_share",
        filters: { lane: "api_heavy", tier: "core" },
        threshold: 0.8,
        share: true,
        summary: "Lane api_heavy is full for core's calls",
      }),
    ).toBe(
      `groups:
  - name: from-the-dashboard
    rules:
      - alert: LaneFull
        expr: lane_full_share{lane="api_heavy",tier="core"}[5m] > 0.8
        for: 3m
        keep_firing_for: 5m
        clear: 0.6
        min_calls: 20
        no_data: keep
        labels:
          severity: ticket
        annotations:
          summary: 'Lane api_heavy is full for core''s calls'
`,
    );
  });
});
