import { Time } from "../../parts/figure";
import { useConfigChanges } from "../../parts/marks";
import { Panel } from "../../parts/panel";
import { DataTable } from "../../parts/table";
import { MISSING } from "../../text/format";

/** What was changed in the limiter, newest first. */
export function ConfigChangesPanel() {
  const changes = useConfigChanges();
  return (
    <Panel
      id="config-changes"
      title="Config changes"
      resource={changes}
      wide
      empty={(data) =>
        data.config_changes.length === 0 ? "The config did not change in this period." : null
      }
      partial={(data) => (data.next_cursor === null ? null : "Only the newest 200 are shown.")}
    >
      {(data) => (
        <DataTable
          id="config"
          label="Config changes"
          rows={data.config_changes}
          rowKey={(change) => change.event_id}
          tall
          columns={[
            { id: "at", title: "Time (UTC)", by: (c) => c.changed_at, cell: (c) => <Time at={c.changed_at} /> },
            {
              id: "version",
              title: "Version",
              by: (c) => c.version,
              cell: (c) => (c.version === null ? MISSING : `v${c.version}`),
            },
            { id: "mode", title: "Mode after", by: (c) => c.mode, cell: (c) => c.mode ?? MISSING },
            {
              id: "changes",
              title: "Changed",
              cell: (c) => (
                <div data-testid={`config-${c.version ?? c.event_id}`}>
                  {Object.entries(c.changes ?? {}).map(([path, values]) => (
                    <div key={path}>
                      <code>{path}</code> {changeText(values)}
                    </div>
                  ))}
                </div>
              ),
            },
          ]}
        />
      )}
    </Panel>
  );
}

function changeText(values: unknown): string {
  return Array.isArray(values) && values.length === 2
    ? `${String(values[0])} → ${String(values[1])}`
    : JSON.stringify(values);
}
