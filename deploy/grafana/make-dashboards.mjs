// Makes dashboards/*.json from the panels below and the named queries in sql/queries, so that Grafana
// shows the numbers that the API shows, by the same SQL.
//
//   node make-dashboards.mjs           writes them
//   node make-dashboards.mjs --check   exit 1 when what is there isn't what would be written
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const QUERIES = fileURLToPath(new URL("../../sql/queries/", import.meta.url));
const DASHBOARDS = fileURLToPath(new URL("dashboards/", import.meta.url));

/** What Grafana puts in: the period in epoch ms, and a step of whole minutes for the panel's width. */
const FROM_GRAFANA = {
  from_ms: "$__from",
  to_ms: "$__to",
  step_s: "greatest(60, intDiv($__interval_ms, 60000) * 60)",
};

/** A part of queries without its comments. */
function part(name) {
  const lines = readFileSync(`${QUERIES}parts/${name}.sql`, "utf8").trimEnd().split("\n");
  return lines.filter((line) => !line.startsWith("--")).join("\n");
}

/** The text of a query with its parts put in, as the API's NamedQuery does it. */
function withParts(text) {
  return text.replace(/\{(([a-z]+)[a-z_]*) (:?\w+)}/g, (_, columns, table, step) => {
    const period = part("period")
      .replaceAll("$columns", () => part(columns))
      .replaceAll("$hours", `${columns}_hour`)
      .replaceAll("$minutes", `${table}_minute`)
      .replaceAll("$step", step);
    return `(\n${period}\n)`;
  });
}

/** The text of a named query with its values put in: Grafana binds none. */
function named(name, values = {}) {
  const all = { ...FROM_GRAFANA, ...values };
  const text = withParts(readFileSync(`${QUERIES}${name}.sql`, "utf8").trimEnd());
  const lines = text.split("\n").map((line) => (line.startsWith("--") ? line : line.replace(/(?<![:\w]):([a-z_]+)/g, (_, key) => {
    const value = all[key];
    if (value === undefined) {
      throw new Error(`${name} wants ${key}`);
    }
    return typeof value === "string" && !(key in FROM_GRAFANA) ? `'${value}'` : String(value);
  })));
  return lines.join("\n");
}

const of = (columns, query, rest = "") => `SELECT ${columns}\nFROM\n(\n${query}\n)${rest === "" ? "" : `\n${rest}`}`;

const TIME = "fromUnixTimestamp64Milli(step_ms, 'UTC') AS time";

/** The midpoint of a bucket of a histogram, as the API has it. */
function midpoint(bucket) {
  return `if(${bucket} < 128, toFloat64(${bucket}), toFloat64(intDiv(bitShiftLeft(toUInt64(64 + (${bucket} - 128) % 64), intDiv(${bucket} - 128, 64) + 1) * 2 + bitShiftLeft(toUInt64(1), intDiv(${bucket} - 128, 64) + 1) - 1, 2)))`;
}

const latency = (measure) =>
  of(
    `${TIME}, ${["p50", "p95", "p99"].map((p) => `${midpoint(`${p}_bucket`)} AS ${p}`).join(", ")}`,
    named("latency-by-step", { measure }),
    "ORDER BY time",
  );

const refusalsBy = (dimension) =>
  of(
    `ifNull(shown_value, if(shown_place = 0, 'others', '(none)')) AS ${dimension}, sum(n) AS calls, sumIf(n, decision_name IN ('refused', 'shadow-refused')) AS refused, refused / calls AS refused_share`,
    named("decisions-by-group", { group_by: dimension, top: 50 }),
    `GROUP BY shown_place, shown_value\nORDER BY calls DESC`,
  );

const CLICKHOUSE = { type: "grafana-clickhouse-datasource", uid: "${clickhouse}" };
const PROMETHEUS = { type: "prometheus", uid: "${prometheus}" };

let nextId = 1;

function panel(type, title, description, place, targets, defaults = {}, options = {}) {
  const [x, y, w, h] = place;
  return {
    id: nextId++,
    type,
    title,
    description,
    datasource: targets[0].datasource,
    gridPos: { x, y, w, h },
    fieldConfig: { defaults, overrides: [] },
    options,
    targets: targets.map((target, i) => ({ refId: String.fromCharCode(65 + i), ...target })),
  };
}

const sql = (kind, rawSql) => ({
  datasource: CLICKHOUSE,
  editorType: "sql",
  queryType: kind,
  // The plugin's own numbers for a time series and a table.
  format: kind === "timeseries" ? 0 : 1,
  rawSql,
});

const prom = (expr, legendFormat = "{{source}}") => ({
  datasource: PROMETHEUS,
  editorMode: "code",
  expr,
  legendFormat,
  range: true,
});

const STACKED = {
  unit: "short",
  custom: { drawStyle: "bars", fillOpacity: 90, lineWidth: 0, stacking: { mode: "normal" } },
};
const LINES = { custom: { drawStyle: "line", lineWidth: 2 } };

function dashboard(uid, title, description, variables, panels) {
  return {
    uid,
    title,
    description,
    schemaVersion: 39,
    version: 1,
    editable: true,
    timezone: "utc",
    time: { from: "now-24h", to: "now" },
    refresh: "30s",
    tags: ["capacity"],
    templating: { list: variables },
    annotations: { list: [] },
    links: [],
    panels,
  };
}

const datasourceVariable = (name, query) => ({
  name,
  label: name,
  type: "datasource",
  query,
  current: {},
  hide: 0,
});

function capacity() {
  nextId = 1;
  return dashboard(
    "capacity-limiter",
    "Capacity limiter",
    "Who is or would be refused, where it saturates, and how long calls take. The same named queries as the API's.",
    [datasourceVariable("clickhouse", CLICKHOUSE.type)],
    [
      panel("timeseries", "Decisions", "decisions-by-step: calls by the time they ended", [0, 0, 24, 9], [
        sql("timeseries", of(`${TIME}, decision_name, n AS calls`, named("decisions-by-step"), "ORDER BY time")),
      ], STACKED),
      panel("stat", "Refused, or would be", "decisions-by-step: a share of all calls of the period", [0, 9, 6, 8], [
        sql("table", of("sumIf(n, decision_name IN ('refused', 'shadow-refused')) / nullIf(sum(n), 0) AS refused_share", named("decisions-by-step"))),
      ], { unit: "percentunit", decimals: 1 }),
      panel("table", "By tier", "decisions-by-group", [6, 9, 9, 8], [sql("table", refusalsBy("tier"))], {}),
      panel("table", "By lane reported", "decisions-by-group", [15, 9, 9, 8], [sql("table", refusalsBy("scope"))], {}),
      panel("timeseries", "Share of calls that find a lane full", "lanes-by-step", [0, 17, 12, 9], [
        sql("timeseries", of(`${TIME}, lane_text AS lane, found_full / nullIf(passed, 0) AS full_share`, named("lanes-by-step"), "ORDER BY time")),
      ], { ...LINES, unit: "percentunit", min: 0, max: 1 }),
      panel("timeseries", "Calls in flight, mean", "lanes-by-step: by Little's law, from when calls began and ended", [12, 17, 12, 9], [
        sql("timeseries", of(`${TIME}, lane_text AS lane, in_flight_mean`, named("lanes-by-step"), "ORDER BY time")),
      ], LINES),
      panel("table", "Lanes full together", "events-by-value: calls by the whole set of lanes that they found full", [0, 26, 12, 8], [
        sql("table", of("value_text AS lanes, times AS calls", named("events-by-value", { kind: "full_set" }), "ORDER BY calls DESC")),
      ]),
      panel("table", "Lease time by tier and class", "usage-by-class", [12, 26, 12, 8], [sql("table", named("usage-by-class"))]),
      panel("timeseries", "Held time", "latency-by-step: percentiles within 0.8 %", [0, 34, 12, 9], [sql("timeseries", latency("held_ms"))], { ...LINES, unit: "ms" }),
      panel("timeseries", "Queueing delay", "latency-by-step: every value is high by 0 to 999 ms, since the load balancer's stamp has whole seconds", [12, 34, 12, 9], [sql("timeseries", latency("queue_ms"))], { ...LINES, unit: "ms" }),
      panel("table", "Dead letters of all time", "dead-letters-by-reason", [0, 43, 8, 8], [sql("table", named("dead-letters-by-reason"))]),
      panel("table", "Sources", "pipeline-sources: the newest books of each", [8, 43, 16, 8], [sql("table", named("pipeline-sources"))]),
    ],
  );
}

function pipeline() {
  nextId = 1;
  return dashboard(
    "capacity-pipeline",
    "Capacity pipeline",
    "Whether the lines arrive: what each process tells on /metrics. deploy/prometheus has the scrape's example.",
    [datasourceVariable("prometheus", PROMETHEUS.type)],
    [
      panel("timeseries", "Lines read a second", "By source", [0, 0, 12, 8], [prom("rate(capacity_ship_lines_read_total[5m])")], { ...LINES, unit: "short" }),
      panel("timeseries", "Bytes not read yet", "By source", [12, 0, 12, 8], [prom("capacity_ship_behind_bytes")], { ...LINES, unit: "bytes" }),
      panel("timeseries", "Dead letters a second", "Lines and records that could not be read", [0, 8, 12, 8], [
        prom("rate(capacity_ship_quarantined_total[5m])", "ship {{source}}"),
        prom("rate(capacity_streams_dead_letters_total[5m])", "streams {{reason}}"),
      ], LINES),
      panel("timeseries", "Lines lost", "Dropped by the application's own sink, gone before they could be read, or removed by retention", [12, 8, 12, 8], [
        prom("increase(capacity_ship_dropped_at_source_total[1h])", "dropped at source {{source}}"),
        prom("increase(capacity_ship_lost_bytes_total[1h])", "bytes lost {{source}}"),
        prom("increase(capacity_streams_lost_lines_total[1h])", "streams"),
        prom("increase(capacity_write_lost_total[1h])", "write"),
      ], LINES),
      panel("timeseries", "Records not stored yet", "The writer's backlog", [0, 16, 12, 8], [prom("capacity_write_behind", "{{table}}")], LINES),
      panel("timeseries", "How long a row waits", "Grows while ClickHouse is slow", [12, 16, 12, 8], [prom("capacity_write_block_age_milliseconds", "{{table}}")], { ...LINES, unit: "ms" }),
      panel("stat", "Sources that can't be read", "Above 0: lines are missing", [0, 24, 8, 6], [prom("sum(capacity_ship_failed)", "failed")]),
      panel("stat", "Waiting for Kafka", "1 while Kafka is away", [8, 24, 8, 6], [prom("max(capacity_ship_waiting_for_broker)", "waiting")]),
      panel("stat", "Inserts tried again, last hour", "", [16, 24, 8, 6], [prom("increase(capacity_write_failures_total[1h])", "failures")]),
    ],
  );
}

const check = process.argv[2] === "--check";
let stale = 0;
for (const made of [capacity(), pipeline()]) {
  const file = `${DASHBOARDS}${made.uid}.json`;
  const text = `${JSON.stringify(made, null, 2)}\n`;
  if (!check) {
    writeFileSync(file, text);
  } else if (readFileSync(file, "utf8") !== text) {
    process.stderr.write(`${file} is not what would be made: run node ${process.argv[1]}\n`);
    stale++;
  }
}
process.exitCode = stale === 0 ? 0 : 1;
