import { address, ask } from "../../api/client";
import { useResource } from "../../api/resource";
import { ViewLink } from "../../parts/figure";
import { Panel } from "../../parts/panel";
import { usePlace, useTime } from "../../state/place";
import { type Filters, filtersOf, withOwn } from "../../state/view";
import { count } from "../../text/format";
import { FilterForm } from "./filters";
import { LiveTail } from "./live";
import { StoryPanel } from "./story";
import { CallTable } from "./table";

const PAGE_ROWS = 50;

/** The calls behind every number: filtered, a page at a time or as they come; and one's whole story. */
export function CallsPage() {
  const { view } = usePlace();
  const story = view.own["call"]?.[0];
  const live = view.own["live"] !== undefined;
  const filters = filtersOf(view);
  return (
    <>
      {story !== undefined && <StoryPanel id={story} />}
      <FilterPanel live={live} />
      {live ? <LivePanel /> : <StoredCalls filters={filters} />}
    </>
  );
}

function FilterPanel({ live }: { live: boolean }) {
  const { view } = usePlace();
  return (
    <section class="panel wide" aria-label="Filters">
      <FilterForm />
      <p class="note">
        {live ? (
          <ViewLink view={withOwn(view, { live: [] })}>Back to the stored calls</ViewLink>
        ) : (
          <ViewLink view={withOwn(view, { live: ["1"], cursor: [] })}>
            Watch calls as they come
          </ViewLink>
        )}
        {live && " A stream knows the filters decision, tier, endpoint and lane."}
      </p>
    </section>
  );
}

function LivePanel() {
  return (
    <section id="live" class="panel wide" aria-labelledby="live-title">
      <h2 id="live-title">Calls as they come</h2>
      <LiveTail />
    </section>
  );
}

function StoredCalls({ filters }: { filters: Filters }) {
  const { view, tick } = usePlace();
  const time = useTime();
  const cursor = view.own["cursor"]?.[0] ?? null;
  // The filters are as the address has them; the API says what is wrong with one.
  const asked = { ...time, ...(filters as object) };
  const calls = useResource(ask("/api/v1/calls", { ...asked, limit: PAGE_ROWS, cursor }), tick);
  return (
    <Panel
      id="calls"
      title="Calls"
      note="Newest first; every column is as the line has it."
      resource={calls}
      wide
      empty={(data) =>
        data.calls.length > 0
          ? null
          : Object.keys(filters).length > 0
            ? "No call matches."
            : "No calls in this period."
      }
    >
      {(data) => (
        <>
          <CallTable calls={data.calls} />
          <nav class="paging" aria-label="Pages of calls">
            {cursor !== null && (
              <ViewLink view={withOwn(view, { cursor: [] })} place="#calls">
                Newest
              </ViewLink>
            )}
            {data.next_cursor !== null && (
              <ViewLink view={withOwn(view, { cursor: [data.next_cursor] })} place="#calls">
                Older
              </ViewLink>
            )}
            <span class="quiet">{count(data.calls.length)} shown</span>
            <span class="quiet">
              All that match, up to 10,000:{" "}
              <a href={address("/api/v1/calls.csv", asked)} download="calls.csv">
                CSV
              </a>{" "}
              <a href={address("/api/v1/calls.ndjson", asked)} download="calls.ndjson">
                NDJSON
              </a>
            </span>
          </nav>
        </>
      )}
    </Panel>
  );
}
