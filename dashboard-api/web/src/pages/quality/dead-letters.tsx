import { ask } from "../../api/client";
import { useResource } from "../../api/resource";
import { Choice, chosen } from "../../parts/choice";
import { Time, ViewLink } from "../../parts/figure";
import { Panel } from "../../parts/panel";
import { DataTable } from "../../parts/table";
import { usePlace, useTime } from "../../state/place";
import { withOwn } from "../../state/view";
import { count, MISSING } from "../../text/format";

const STAGES = [
  ["any", "any stage"],
  ["ship", "shipper"],
  ["streams", "streams"],
] as const;

const PAGE_ROWS = 25;

/** Lines that could not be read, with their place and reason. */
export function DeadLettersPanel() {
  const { view, navigate, tick } = usePlace();
  const time = useTime();
  const stage = chosen(view.own, "stage", STAGES);
  const reason = view.own["reason"]?.[0];
  const cursor = view.own["cursor"]?.[0] ?? null;
  const letters = useResource(
    ask("/api/v1/dead-letters", {
      ...time,
      ...(stage === "any" ? {} : { stage }),
      ...(reason === undefined ? {} : { reason: [reason] }),
      limit: PAGE_ROWS,
      cursor,
    }),
    tick,
  );
  return (
    <Panel
      id="dead-letters"
      title="Dead letters"
      resource={letters}
      wide
      note="Set aside in this period, with place and reason; nothing is thrown away in silence."
    >
      {(data) => (
        <>
          <div class="choices">
            <Choice label="Stage" name="stage" options={STAGES} />
            {reason !== undefined && (
              <button
                type="button"
                class="chip"
                onClick={() => navigate(withOwn(view, { reason: [] }))}
              >
                {reason} <span aria-hidden="true">×</span>
                <span class="hidden">remove this filter</span>
              </button>
            )}
          </div>
          {data.dead_letters.length === 0 ? (
            <p class="empty">There is none.</p>
          ) : (
            <DataTable
              id="dead"
              label="Dead letters"
              rows={data.dead_letters}
              rowKey={(letter) => letter.id}
              tall
              columns={[
                {
                  id: "at",
                  title: "Read (UTC)",
                  by: (letter) => letter.read_at,
                  cell: (letter) => <Time at={letter.read_at} />,
                },
                { id: "stage", title: "Stage", by: (letter) => letter.stage, cell: (letter) => letter.stage },
                {
                  id: "reason",
                  title: "Reason",
                  header: true,
                  by: (letter) => letter.reason,
                  cell: (letter) => letter.reason,
                },
                {
                  id: "place",
                  title: "Place",
                  cell: (letter) => <span class="path">{placeText(letter)}</span>,
                },
                {
                  id: "length",
                  title: "Bytes",
                  number: true,
                  by: (letter) => letter.raw_length,
                  cell: (letter) => count(letter.raw_length),
                },
                {
                  id: "detail",
                  title: "What was wrong",
                  cell: (letter) => (
                    <span class="path">
                      {letter.detail ?? MISSING}
                      {letter.raw !== undefined && (
                        <details>
                          <summary>Its bytes</summary>
                          <pre>{letter.raw}</pre>
                        </details>
                      )}
                    </span>
                  ),
                },
              ]}
            />
          )}
          <nav class="paging" aria-label="Pages of dead letters">
            {cursor !== null && (
              <ViewLink view={withOwn(view, { cursor: [] })} place="#dead-letters">
                Newest
              </ViewLink>
            )}
            {data.next_cursor !== null && (
              <ViewLink view={withOwn(view, { cursor: [data.next_cursor] })} place="#dead-letters">
                Older
              </ViewLink>
            )}
          </nav>
        </>
      )}
    </Panel>
  );
}

function placeText(letter: {
  source: string | null;
  position: number | null;
  topic: string | null;
  partition: number | null;
  offset: number | null;
}): string {
  if (letter.source !== null) {
    return letter.position === null ? letter.source : `${letter.source} byte ${letter.position}`;
  }
  return letter.topic === null
    ? MISSING
    : `${letter.topic} partition ${letter.partition ?? MISSING} offset ${letter.offset ?? MISSING}`;
}
