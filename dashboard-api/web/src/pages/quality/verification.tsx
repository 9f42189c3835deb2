import { ask } from "../../api/client";
import { useResource } from "../../api/resource";
import { Fact, Figure, ViewLink } from "../../parts/figure";
import { Panel } from "../../parts/panel";
import { usePlace, useTime } from "../../state/place";
import { withOwn } from "../../state/view";
import { count } from "../../text/format";

/** Recounts the period from its calls, when asked: it is costly. */
export function VerificationPanel() {
  const { view } = usePlace();
  return view.own["verify"] === undefined ? (
    <section class="panel wide" aria-labelledby="verify-title">
      <h2 id="verify-title">Recount</h2>
      <p class="note">
        Counts the period’s minutes anew from the calls, and the books of every source: at most 31
        days.
      </p>
      <p>
        <ViewLink view={withOwn(view, { verify: ["1"] })} place="#verification">
          Recount this period
        </ViewLink>
      </p>
    </section>
  ) : (
    <Verified />
  );
}

function Verified() {
  const verification = useResource(ask("/api/v1/verification", useTime()), 0);
  return (
    <Panel
      id="verification"
      title="Recount"
      resource={verification}
      wide
      partial={(data) => (data.agrees ? null : "The recount differs from what is shown.")}
    >
      {(data) => (
        <>
          <p class="verdict" data-testid="agrees" data-value={String(data.agrees)}>
            {data.agrees ? "✓ All agrees." : "✗ Not all agrees:"}
          </p>
          <dl class="facts">
            <Fact name="Calls recounted">
              <Figure id="verified-calls" value={data.calls}>
                {count(data.calls)}
              </Figure>
            </Fact>
            <Fact name="Rows stored twice, hidden">{count(data.hidden_doubles)}</Fact>
            <Fact name="Lines on their way">{count(data.in_flight)}</Fact>
            <Fact name="Cells that differ">{count(data.differing_cells)}</Fact>
          </dl>
          <ul class="findings">
            {data.differences.map((difference) => (
              <li key={difference}>{difference}</li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}
