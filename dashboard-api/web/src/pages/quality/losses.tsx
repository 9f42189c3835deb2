import type { Resource } from "../../api/resource";
import type { Quality } from "../../api/schema";
import { Figure, Time, ViewLink } from "../../parts/figure";
import { Panel } from "../../parts/panel";
import { DataTable } from "../../parts/table";
import { usePlace } from "../../state/place";
import { linkedView, withOwn } from "../../state/view";
import { count, duration, MISSING } from "../../text/format";

/** Every loss that is known, in words; and whether there is none. */
export function LossesPanel({ quality }: { quality: Resource<Quality> }) {
  const { view } = usePlace();
  return (
    <Panel
      id="losses"
      title="Can these numbers be trusted?"
      resource={quality}
      wide
      partial={(data) =>
        data.sound ? null : "There are holes: no verdict should stand on this period without naming them."
      }
    >
      {(data) => (
        <>
          <p class="verdict" data-testid="sound" data-value={String(data.sound)}>
            {data.sound ? "✓ No loss is known." : "✗ Not all is there, or not all is known:"}
          </p>
          {data.losses.length > 0 && (
            <DataTable
              id="losses"
              label="Known losses"
              rows={data.losses}
              rowKey={(loss) => loss.kind}
              columns={[
                {
                  id: "kind",
                  title: "Loss",
                  header: true,
                  by: (loss) => loss.kind,
                  cell: (loss) => loss.kind.replaceAll("_", " "),
                },
                {
                  id: "count",
                  title: "How much",
                  number: true,
                  by: (loss) => loss.count,
                  cell: (loss) => (
                    <ViewLink view={linkedView(view, loss.rows)}>
                      <Figure id={`loss-${loss.kind}`} value={loss.count}>
                        {count(loss.count)}
                      </Figure>{" "}
                      {loss.unit}
                    </ViewLink>
                  ),
                },
                { id: "says", title: "In words", cell: (loss) => <span class="path">{loss.says}</span> },
              ]}
            />
          )}
          {data.version_gaps.length > 0 && (
            <p class="note">
              Config changes that no line tells of:{" "}
              {data.version_gaps.map((gap) => (
                <span key={gap.first_missing}>
                  v{gap.first_missing}
                  {gap.last_missing !== gap.first_missing && ` to v${gap.last_missing}`} (noticed{" "}
                  <Time at={gap.noticed_at} />){" "}
                </span>
              ))}
            </p>
          )}
          {data.silent_tasks.length > 0 && (
            <p class="note">
              API tasks that fell silent:{" "}
              {data.silent_tasks.map((task) => (
                <span key={task.task}>
                  {task.task} (last <Time at={task.last_minute} seconds={false} />,{" "}
                  {count(task.calls_before)} calls before){" "}
                </span>
              ))}
            </p>
          )}
          {data.dead_letters.length > 0 && (
            <p class="note">
              Lines that could not be read:{" "}
              {data.dead_letters.map((dead) => (
                <span key={`${dead.stage} ${dead.reason}`}>
                  <ViewLink
                    view={withOwn(view, { stage: [dead.stage], reason: [dead.reason] })}
                    place="#dead-letters"
                  >
                    {count(dead.lines)} {dead.reason} ({dead.stage})
                  </ViewLink>{" "}
                </span>
              ))}
            </p>
          )}
        </>
      )}
    </Panel>
  );
}

const STAGES = { ship: "Shipper", streams: "Streams", store: "Store" };

/** What each stage has yet to do, and until when each kind of number is settled. */
export function StagesPanel({ quality }: { quality: Resource<Quality> }) {
  return (
    <Panel id="stages" title="How far each stage is" resource={quality} wide>
      {(data) => (
        <>
          <DataTable
            id="stages"
            label="Stages"
            rows={data.stages}
            rowKey={(stage) => stage.stage}
            columns={[
              { id: "stage", title: "Stage", header: true, cell: (stage) => STAGES[stage.stage] },
              {
                id: "behind",
                title: "Behind",
                number: true,
                by: (stage) => stage.behind,
                cell: (stage) => (
                  <Figure id={`behind-${stage.stage}`} value={stage.behind}>
                    {stage.behind === null ? "not known" : `${count(stage.behind)} ${stage.unit}`}
                  </Figure>
                ),
              },
              {
                id: "until",
                title: "Until (UTC)",
                cell: (stage) => (stage.until === null ? "not known" : <Time at={stage.until} />),
              },
              {
                id: "age",
                title: "Lag",
                number: true,
                by: (stage) => stage.age_seconds,
                cell: (stage) =>
                  stage.age_seconds === null ? MISSING : duration(stage.age_seconds),
              },
            ]}
          />
          <p class="note">
            Counts are complete until <Until at={data.complete_until} />; occupancy until{" "}
            <Until at={data.occupancy_complete_until} />.{" "}
            {data.closed_until === null ? (
              "From when on nothing changes any more isn’t known."
            ) : (
              <>
                Before <Until at={data.closed_until} /> nothing changes any more.
              </>
            )}
          </p>
        </>
      )}
    </Panel>
  );
}

function Until({ at }: { at: string | null }) {
  return at === null ? <>not known</> : <Time at={at} />;
}
