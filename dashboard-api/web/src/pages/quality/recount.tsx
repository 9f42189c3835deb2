import type { Resource } from "../../api/resource";
import type { Quality } from "../../api/schema";
import { Fact, Time } from "../../parts/figure";
import { Panel } from "../../parts/panel";
import { count } from "../../text/format";

/** The newest recount that was made on its schedule; none is not the same as one that agrees. */
export function RecountPanel({ quality }: { quality: Resource<Quality> }) {
  return (
    <Panel
      id="recount"
      title="Newest recount on schedule"
      resource={quality}
      wide
      partial={(data) =>
        data.recount === null
          ? "Nothing has been recounted yet."
          : data.recount.agrees
            ? null
            : "The recount differs from what is shown."
      }
    >
      {({ recount }) =>
        recount === null ? (
          <p class="note">The writer recounts complete minutes every ten minutes unless told otherwise.</p>
        ) : (
          <>
            <p class="verdict" data-testid="recount" data-value={String(recount.agrees)}>
              {recount.agrees ? "✓ All agrees." : "✗ Not all agrees:"}
            </p>
            <dl class="facts">
              <Fact name="Made">
                <Time at={recount.at} />
              </Fact>
              <Fact name="Over">
                <Time at={recount.from} seconds={false} /> to <Time at={recount.to} seconds={false} />
              </Fact>
              <Fact name="Calls recounted">{count(recount.calls)}</Fact>
              <Fact name="Cells that differ">{count(recount.differing_cells)}</Fact>
            </dl>
            <ul class="findings">
              {recount.differences.map((difference) => (
                <li key={difference}>{difference}</li>
              ))}
            </ul>
          </>
        )
      }
    </Panel>
  );
}
