/** Rules as the alarms read them, made from what a chart shows. */

export interface Draft {
  /** The rule's name, in CamelCase. */
  name: string;
  metric: "lane_full_share" | "refused_share" | "calls_per_minute";
  /** Label to the value that the chart is about. */
  filters: Record<string, string>;
  threshold: number;
  /** Whether the metric is a fraction from 0 to 1. */
  share: boolean;
  /** What it says when it fires. */
  summary: string;
}

/** A whole rules file with one rule. */
export function alarmYaml(draft: Draft): string {
  const filters = Object.entries(draft.filters)
    .map(([label, value]) => `${label}="${value}"`)
    .join(",");
  const expr = `${draft.metric}${filters === "" ? "" : `{${filters}}`}[5m] > ${draft.threshold}`;
  return [
    "groups:",
    "  - name: from-the-dashboard",
    "    rules:",
    `      - alert: ${draft.name}`,
    `        expr: ${expr}`,
    "        for: 3m",
    "        keep_firing_for: 5m",
    `        clear: ${Number((draft.threshold * 0.75).toPrecision(3))}`,
    "        min_calls: 20",
    "        no_data: keep",
    "        labels:",
    "          severity: ticket",
    "        annotations:",
    `          summary: ${quoted(draft.summary)}`,
    "",
  ].join("\n");
}

/** YAML's single-quoted form. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
