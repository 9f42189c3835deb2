import { RunsPanel } from "./runs";
import { UsagePanel } from "./usage";

/** Whom it hits: who is refused, who fills the lanes, and who stays within a fair share. */
export function PeoplePage() {
  return (
    <>
      <UsagePanel />
      <RunsPanel />
    </>
  );
}
