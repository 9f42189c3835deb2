import { useState } from "preact/hooks";
import { Copy } from "./copy";
import { alarmYaml, type Draft } from "./alarm-yaml";

export type { Draft } from "./alarm-yaml";

/** An alarm on what a panel shows: the rule, to be put into the alarms' folder. */
export function AlarmDraft({ draft }: { draft: Draft }) {
  const [threshold, setThreshold] = useState(String(draft.threshold));
  const value = Number(threshold);
  const good = threshold.trim() !== "" && Number.isFinite(value) && value >= 0;
  return (
    <div class="draft">
      <label>
        Alarm when above{" "}
        <input
          value={threshold}
          size={6}
          inputMode="decimal"
          aria-invalid={!good}
          onInput={(event) => setThreshold(event.currentTarget.value)}
        />
      </label>
      {good ? (
        <Copy label="Rule, for a file in the alarms’ folder" text={alarmYaml({ ...draft, threshold: value })} />
      ) : (
        <p class="problem">The threshold is a number, 0 or more{draft.share ? "; a share of 5 % is 0.05" : ""}.</p>
      )}
    </div>
  );
}
