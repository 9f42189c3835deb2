import { ask } from "../../api/client";
import { useResource } from "../../api/resource";
import { usePipeline } from "../../shell/completeness";
import { usePlace, useTime } from "../../state/place";
import { DeadLettersPanel } from "./dead-letters";
import { LossesPanel, StagesPanel } from "./losses";
import { PipelinePanel } from "./pipeline";
import { RecountPanel } from "./recount";
import { VerificationPanel } from "./verification";

/** Whether the numbers can be trusted: what was lost, set aside, and is still on its way. */
export function QualityPage() {
  const { tick } = usePlace();
  const quality = useResource(ask("/api/v1/quality", useTime()), tick);
  return (
    <>
      <LossesPanel quality={quality} />
      <StagesPanel quality={quality} />
      <DeadLettersPanel />
      <PipelinePanel pipeline={usePipeline()} />
      <RecountPanel quality={quality} />
      <VerificationPanel />
    </>
  );
}
