import { usePipeline } from "../../shell/completeness";
import { PipelinePanel } from "./pipeline";

/** Whether the numbers can be trusted: what was lost, set aside, and is still on its way. */
export function QualityPage() {
  return <PipelinePanel pipeline={usePipeline()} />;
}
