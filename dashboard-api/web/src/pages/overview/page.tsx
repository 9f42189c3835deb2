import { ask } from "../../api/client";
import { useResource } from "../../api/resource";
import { usePlace, useTime } from "../../state/place";
import { ConfigChangesPanel } from "./config-changes";
import { DecisionsPanel } from "./decisions";
import { Headline } from "./headline";
import { LanesPanel, TiersPanel } from "./refusals";
import { TimesPanel } from "./times";

/** Who is refused, and is that new: the answer on the first screen. */
export function OverviewPage() {
  const { tick } = usePlace();
  const time = useTime();
  const tiers = useResource(ask("/api/v1/decisions", { ...time, group_by: "tier" }), tick);
  // The answer comes first: what explains it is asked for once it is there, and not beside it.
  const answered = tiers.data !== null || tiers.error !== null;
  const lanes = useResource(
    answered ? ask("/api/v1/decisions", { ...time, group_by: "scope", series: false }) : null,
    tick,
  );
  return (
    <>
      <Headline decisions={tiers} />
      <DecisionsPanel decisions={tiers} />
      <LanesPanel decisions={lanes} />
      <TiersPanel decisions={tiers} />
      <TimesPanel measure="held_ms" asked={answered} />
      <TimesPanel measure="queue_ms" asked={answered} />
      <ConfigChangesPanel />
    </>
  );
}
