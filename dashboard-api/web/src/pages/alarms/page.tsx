import { useState } from "preact/hooks";
import { ask } from "../../api/client";
import { useResource } from "../../api/resource";
import { usePlace } from "../../state/place";
import { BacktestPanel } from "./backtest";
import { HistoryPanel } from "./history";
import { SilencesPanel } from "./silences";
import { AlarmsPanel } from "./state";

/** What alarms there are, how they stand and stood, and when one would have fired. */
export function AlarmsPage() {
  const { tick } = usePlace();
  const [changed, setChanged] = useState(0);
  const alarms = useResource(ask("/api/v1/alarms"), tick + changed);
  const rules = [...new Set((alarms.data?.alarms ?? []).map((alarm) => alarm.rule))];
  return (
    <>
      <AlarmsPanel alarms={alarms} />
      <HistoryPanel rules={rules} />
      <SilencesPanel rules={rules} changed={() => setChanged((n) => n + 1)} />
      <BacktestPanel />
    </>
  );
}
