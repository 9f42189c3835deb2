import { useState } from "preact/hooks";
import { address, ask, post, posting, request } from "../../api/client";
import { useAction, useResource } from "../../api/resource";
import { Time } from "../../parts/figure";
import { Panel } from "../../parts/panel";
import { Said } from "../../parts/said";
import { DataTable } from "../../parts/table";
import { useMay } from "../../state/me";
import { usePlace } from "../../state/place";
import { groupText } from "./state";

const HOURS = [
  [1, "1 hour"],
  [4, "4 hours"],
  [24, "1 day"],
  [168, "7 days"],
] as const;

/** Silences in force and to come, and a new one. */
export function SilencesPanel({
  rules,
  changed,
}: {
  rules: readonly string[];
  changed: () => void;
}) {
  const { tick } = usePlace();
  const may = useMay("silences");
  const [again, setAgain] = useState(0);
  const silences = useResource(ask("/api/v1/alarms/silences"), tick + again);
  const done = () => {
    setAgain((n) => n + 1);
    changed();
  };
  const end = useAction(async (id: string) => {
    await request("DELETE", address("/api/v1/alarms/silences/{id}", {}, { id }));
    done();
  });
  return (
    <Panel
      id="silences"
      title="Silences"
      resource={silences}
      note="A silenced alarm is evaluated and shown, and tells nobody."
    >
      {(data) => (
        <>
          {may ? (
            <NewSilence rules={rules} done={done} />
          ) : (
            <p class="note">Silencing needs the role operator.</p>
          )}
          <Said action={end} />
          {data.silences.length === 0 ? (
            <p class="empty">Nothing is silenced.</p>
          ) : (
            <DataTable
              id="silences"
              label="Silences"
              rows={data.silences}
              rowKey={(silence) => silence.id}
              columns={[
                { id: "rule", title: "Rule", header: true, by: (s) => s.rule, cell: (s) => s.rule },
                { id: "group", title: "Of", cell: (s) => groupText(s.group) || "all" },
                { id: "to", title: "Until (UTC)", by: (s) => s.to, cell: (s) => <Time at={s.to} /> },
                {
                  id: "why",
                  title: "Reason",
                  cell: (s) => (
                    <span class="path" data-testid="silence-why">
                      {s.reason}
                    </span>
                  ),
                },
                {
                  id: "end",
                  title: <span class="hidden">End</span>,
                  cell: (s) =>
                    may ? (
                      <button type="button" class="chip" onClick={() => end.run(s.id)}>
                        end
                      </button>
                    ) : (
                      ""
                    ),
                },
              ]}
            />
          )}
        </>
      )}
    </Panel>
  );
}

function NewSilence({ rules, done }: { rules: readonly string[]; done: () => void }) {
  const [rule, setRule] = useState("");
  const [hours, setHours] = useState(1);
  const [reason, setReason] = useState("");
  const silence = useAction(async () => {
    await post(
      posting("/api/v1/alarms/silences", {
        rule: rule || (rules[0] ?? ""),
        to: new Date(Date.now() + hours * 3_600_000).toISOString(),
        reason: reason.trim(),
      }),
    );
    setReason("");
    done();
  });
  return (
    <form
      class="filters"
      aria-label="Silence a rule"
      onSubmit={(event) => {
        event.preventDefault();
        silence.run();
      }}
    >
      <label>
        Rule
        <select value={rule} onChange={(event) => setRule(event.currentTarget.value)}>
          {rules.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label>
        For
        <select
          value={String(hours)}
          onChange={(event) => setHours(Number(event.currentTarget.value))}
        >
          {HOURS.map(([value, text]) => (
            <option key={value} value={String(value)}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <label>
        Reason
        <input
          data-testid="silence-reason"
          value={reason}
          required
          maxLength={300}
          onInput={(event) => setReason(event.currentTarget.value)}
        />
      </label>
      <button
        type="submit"
        data-testid="silence"
        disabled={silence.busy || rules.length === 0}
      >
        Silence
      </button>
      <Said action={silence} />
    </form>
  );
}
