import { ask } from "../../api/client";
import { useResource } from "../../api/resource";
import { Choice } from "../../parts/choice";
import { Time, ViewLink } from "../../parts/figure";
import { Panel } from "../../parts/panel";
import { DataTable } from "../../parts/table";
import { usePlace, useTime } from "../../state/place";
import { withOwn } from "../../state/view";
import { decimal } from "../../text/format";
import { groupText, State } from "./state";

const PAGE_ROWS = 50;

/** Who was told; who wasn't stands out. */
function Told({ told }: { told: Readonly<Record<string, string>> }) {
  return (
    <>
      {Object.entries(told).map(([receiver, how]) => (
        <span key={receiver} class={how === "given-up" ? "state firing" : "state ok"}>
          {how === "given-up" ? `▲ ${receiver}: undelivered` : `${receiver}: ${how}`}{" "}
        </span>
      ))}
    </>
  );
}

/** How alarms changed in the period, newest first. */
export function HistoryPanel({ rules }: { rules: readonly string[] }) {
  const { view, tick } = usePlace();
  const time = useTime();
  const rule = view.own["rule"]?.[0];
  const cursor = view.own["cursor"]?.[0] ?? null;
  const history = useResource(
    ask("/api/v1/alarms/history", {
      ...time,
      ...(rule === undefined ? {} : { rule: [rule] }),
      limit: PAGE_ROWS,
      cursor,
    }),
    tick,
  );
  const known = rule === undefined || rules.includes(rule) ? rules : [rule, ...rules];
  return (
    <Panel
      id="alarm-history"
      title="History"
      resource={history}
      wide
      note="By the end of the window that changed the state."
    >
      {(data) => (
        <>
          <div class="choices">
            <Choice
              label="Rule"
              name="rule"
              options={[["", "all"], ...known.map((name) => [name, name] as const)]}
            />
          </div>
          {data.changes.length === 0 ? (
            <p class="empty">No alarm changed in this period.</p>
          ) : (
            <DataTable
              id="history"
              label="Changes of alarms"
              rows={data.changes}
              rowKey={(change) => change.id}
              tall
              columns={[
                { id: "at", title: "Time (UTC)", by: (c) => c.at, cell: (c) => <Time at={c.at} /> },
                { id: "rule", title: "Rule", header: true, by: (c) => c.rule, cell: (c) => c.rule },
                { id: "group", title: "Of", cell: (c) => groupText(c.group) || "all" },
                {
                  id: "change",
                  title: "Change",
                  cell: (c) => (
                    <>
                      <State state={c.before} /> → <State state={c.after} />
                    </>
                  ),
                },
                {
                  id: "value",
                  title: "Value",
                  number: true,
                  by: (c) => c.value,
                  cell: (c) => decimal(c.value),
                },
                { id: "told", title: "Told", cell: (c) => <Told told={c.told} /> },
                { id: "says", title: "What it said", cell: (c) => <span class="path">{c.says}</span> },
              ]}
            />
          )}
          <nav class="paging" aria-label="Pages of the history">
            {cursor !== null && (
              <ViewLink view={withOwn(view, { cursor: [] })} place="#alarm-history">
                Newest
              </ViewLink>
            )}
            {data.next_cursor !== null && (
              <ViewLink
                view={withOwn(view, { cursor: [data.next_cursor] })}
                place="#alarm-history"
              >
                Older
              </ViewLink>
            )}
          </nav>
        </>
      )}
    </Panel>
  );
}
