import { ask } from "../../api/client";
import { useResource } from "../../api/resource";
import { ViewLink } from "../../parts/figure";
import { Panel } from "../../parts/panel";
import { usePlace, useTime } from "../../state/place";
import { filtersOf, withOwn } from "../../state/view";
import { count } from "../../text/format";
import { FilterForm } from "./filters";
import { CallTable } from "./table";

const PAGE_ROWS = 50;

/** The calls behind every number: filtered, newest first, a page at a time. */
export function CallsPage() {
  const { view, tick } = usePlace();
  const time = useTime();
  const filters = filtersOf(view);
  const cursor = view.own["cursor"]?.[0] ?? null;
  const calls = useResource(
    // The filters are as the address has them; the API says what is wrong with one.
    ask("/api/v1/calls", { ...time, limit: PAGE_ROWS, ...(filters as object), cursor }),
    tick,
  );
  const filtered = Object.keys(filters).length > 0;
  return (
    <Panel
      id="calls"
      title="Calls"
      note="Newest first; every column is as the line has it."
      resource={calls}
      wide
      empty={(data) =>
        data.calls.length > 0 || filtered ? null : "No calls in this period."
      }
    >
      {(data) => (
        <>
          <FilterForm />
          {data.calls.length === 0 ? (
            <p class="empty">No call matches.</p>
          ) : (
            <CallTable calls={data.calls} />
          )}
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
          </nav>
        </>
      )}
    </Panel>
  );
}
