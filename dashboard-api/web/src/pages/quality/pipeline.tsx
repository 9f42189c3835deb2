import type { Resource } from "../../api/resource";
import type { Pipeline } from "../../api/schema";
import { Fact, Time } from "../../parts/figure";
import { Panel } from "../../parts/panel";
import { DataTable } from "../../parts/table";
import { bytes, count, duration, MISSING } from "../../text/format";

type Source = Pipeline["sources"][number];

/** Where the lines come from, what was lost, and what is still on its way. */
export function PipelinePanel({ pipeline }: { pipeline: Resource<Pipeline> }) {
  return (
    <Panel
      id="pipeline"
      title="Pipeline"
      note="Over all time, whatever period is shown."
      resource={pipeline}
      wide
      empty={(data) => (data.sources.length === 0 ? "No source has been read yet." : null)}
      partial={(data) =>
        data.lag.silent_sources + data.lag.failed_sources > 0
          ? "Some sources are silent or failed: what they have to say is missing."
          : null
      }
    >
      {(data) => (
        <>
          <dl class="facts">
            <Fact name="Not read yet">{bytes(data.lag.read_behind_bytes)}</Fact>
            <Fact name="Not stored yet">{rows(data.lag.store_behind_rows)}</Fact>
            <Fact name="Not in the minutes yet">{count(data.lag.metrics_behind_calls)} calls</Fact>
            <Fact name="Newest heartbeat">
              {data.lag.newest_heartbeat_age_seconds === null
                ? MISSING
                : `${duration(data.lag.newest_heartbeat_age_seconds)} ago`}
            </Fact>
          </dl>
          {data.dead_by_reason.length > 0 && (
            <p class="note">
              Dead:{" "}
              {data.dead_by_reason
                .map((dead) => `${count(dead.lines)} ${dead.reason} (${dead.stage})`)
                .join(", ")}
            </p>
          )}
          <DataTable
            id="sources"
            label="Sources"
            rows={data.sources}
            rowKey={(source) => source.source}
            columns={[
              {
                id: "source",
                title: "Source",
                header: true,
                by: (source) => source.source,
                cell: (source) => <span class="path">{source.source}</span>,
              },
              { id: "state", title: "State", by: stateText, cell: stateText },
              {
                id: "read",
                title: "Lines read",
                number: true,
                by: (source) => source.read,
                cell: (source) => count(source.read),
              },
              {
                id: "behind",
                title: "Behind",
                number: true,
                by: (source) => source.behind_bytes,
                cell: (source) => bytes(source.behind_bytes),
              },
              {
                id: "known",
                title: "Known until (UTC)",
                by: (source) => source.known_until,
                cell: (source) =>
                  source.known_until === null ? "not known" : <Time at={source.known_until} />,
              },
            ]}
          />
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
