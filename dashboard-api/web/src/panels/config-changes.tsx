import type { ConfigChanges } from "../api";
import type { Resource } from "../hooks";
import { Panel, TableFrame, Time } from "../parts";
import { MISSING } from "../format";

/** What was changed in the limiter, newest first. */
export function ConfigChangesPanel({
  api,
  changes,
}: {
  api: string;
  changes: Resource<ConfigChanges>;
}) {
  return (
    <Panel
      id="config-changes"
      title="Config changes"
      api={api}
      resource={changes}
      empty={(data) =>
        data.config_changes.length === 0 ? "The config did not change in this period." : null
      }
      partial={(data) => (data.next_cursor === null ? null : "Only the newest 200 are shown.")}
    >
      {(data) => (
        <TableFrame label="Config changes">
          <thead>
            <tr>
              <th scope="col">Time (UTC)</th>
              <th scope="col">Version</th>
              <th scope="col">Mode after</th>
              <th scope="col">Changed</th>
            </tr>
          </thead>
          <tbody>
            {data.config_changes.map((change) => (
              <tr key={change.event_id} data-testid={`config-${change.version ?? change.event_id}`}>
                <td>
                  <Time at={change.changed_at} />
                </td>
                <td>{change.version === null ? MISSING : `v${change.version}`}</td>
                <td>{change.mode ?? MISSING}</td>
                <td>
                  {Object.entries(change.changes ?? {}).map(([path, values]) => (
                    <div key={path}>
                      <code>{path}</code> {changeText(values)}
                    </div>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </TableFrame>
      )}
    </Panel>
  );
}

function changeText(values: unknown): string {
  return Array.isArray(values) && values.length === 2
    ? `${String(values[0])} → ${String(values[1])}`
    : JSON.stringify(values);
}
