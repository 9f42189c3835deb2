import { HeatPanel } from "./heat";
import { LatencyPanel } from "./latency";

/** How long calls hold a lane, and how long they wait for a worker. */
export function LatencyPage() {
  return (
    <>
      <LatencyPanel measure="held_ms" />
      <LatencyPanel measure="queue_ms" />
      <HeatPanel measure="held_ms" />
      <HeatPanel measure="queue_ms" />
    </>
  );
}
