import type { Pipeline, Source } from "../api";
import { bytes, count, duration, MISSING } from "../format";
import type { Resource } from "../hooks";
import { Panel, TableFrame, Time } from "../parts";

/** Where the lines come from, what was lost, and what is still on its way. */
export function PipelinePanel({
  api,
  pipeline,
}: {
  api: string;
  pipeline: Resource<Pipeline>;
}) {
  return (
    <Panel
      id="pipeline"
      title="Pipeline"
      note="Over all time, whatever period is shown."
      api={api}
      resource={pipeline}
      empty={(data) => (data.sources.length === 0 ? "No source has been read yet." : null)}
      partial={(data) =>
        data.lag.silent_sources + data.lag.failed_sources > 0
          ? "Some sources are silent or failed: what they have to say is missing."
          : null
      }
    >
      {(data) => (
        <>
          <dl class="lag">
            <div>
              <dt>Not read yet</dt>
              <dd>{bytes(data.lag.read_behind_bytes)}</dd>
            </div>
            <div>
              <dt>Not stored yet</dt>
              <dd>{rows(data.lag.store_behind_rows)}</dd>
            </div>
            <div>
              <dt>Not in the minutes yet</dt>
              <dd>{count(data.lag.metrics_behind_calls)} calls</dd>
            </div>
            <div>
              <dt>Newest heartbeat</dt>
              <dd>
                {data.lag.newest_heartbeat_age_seconds === null
                  ? MISSING
                  : `${duration(data.lag.newest_heartbeat_age_seconds)} ago`}
              </dd>
            </div>
          </dl>
          {data.dead_by_reason.length > 0 && (
            <p class="note">
              Dead:{" "}
              {data.dead_by_reason
                .map((dead) => `${count(dead.lines)} ${dead.reason} (${dead.stage})`)
                .join(", ")}
            </p>
          )}
          <TableFrame label="Sources">
            <thead>
              <tr>
                <th scope="col">Source</th>
                <th scope="col">State</th>
                <th scope="col" class="number">
                  Lines read
                </th>
                <th scope="col" class="number">
                  Behind
                </th>
                <th scope="col">Known until (UTC)</th>
              </tr>
            </thead>
            <tbody>
              {data.sources.map((source) => (
                <tr key={source.source}>
                  <th scope="row" class="path">
                    {source.source}
                  </th>
                  <td>{stateText(source)}</td>
                  <td class="number">{count(source.read)}</td>
                  <td class="number">{bytes(source.behind_bytes)}</td>
                  <td>{source.known_until === null ? "not known" : <Time at={source.known_until} />}</td>
                </tr>
              ))}
            </tbody>
          </TableFrame>
        </>
      )}
    </Panel>
  );
}

function rows(value: number | null): string {
  return value === null ? "not known" : `${count(value)} rows`;
}

function stateText(source: Source): string {
  if (source.silent) {
    return `silent for ${duration(source.heartbeat_age_seconds)}`;
  }
  return source.problem === null ? source.state : `${source.state}: ${source.problem}`;
}
