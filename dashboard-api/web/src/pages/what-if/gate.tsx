import type { Resource } from "../../api/resource";
import type { Gate, Requirements } from "../../api/schema";
import { Panel } from "../../parts/panel";
import { DataTable } from "../../parts/table";
import { usePlace } from "../../state/place";
import { withOwn } from "../../state/view";
import { count, decimal } from "../../text/format";
import { type Bound, BOUNDS, lines, toRequire } from "./required";
import { VerdictOf } from "./verdict";

interface Room {
  limit: number;
  p999: number;
  headroom: number;
}

/** Whether the limits asked about may be enforced, and what that is held against. */
export function GatePanel({ gate, require }: { gate: Resource<Gate>; require: Requirements }) {
  return (
    <>
      <Panel
        id="gate"
        title="The gate’s verdict"
        resource={gate}
        wide
        note="Whether your limits may be enforced on this period’s evidence. Met means that the whole 90 % interval keeps the bound."
      >
        {(data) => (
          <>
            <VerdictOf id="gate" gate={data} />
            {data.headroom !== null && <Headroom rooms={data.headroom as Record<string, Room>} />}
            <p class="note">
              {count(data.calls)} calls; bound to{" "}
              <code class="hash" title={data.hash}>
                {data.hash.slice(0, 12)}
              </code>
              , which changes with limits, lines, requirements and version.
            </p>
          </>
        )}
      </Panel>
      <RequirementsPart require={require} />
    </>
  );
}

function Headroom({ rooms }: { rooms: Record<string, Room> }) {
  return (
    <DataTable
      id="headroom"
      label="Headroom by lane"
      rows={Object.entries(rooms)}
      rowKey={([lane]) => lane}
      columns={[
        { id: "lane", title: "Lane", header: true, cell: ([lane]) => lane },
        { id: "limit", title: "Limit", number: true, cell: ([, room]) => count(room.limit) },
        {
          id: "used",
          title: "In flight, 99.9 % of the time at most",
          number: true,
          cell: ([, room]) => decimal(room.p999),
        },
        { id: "room", title: "Headroom", number: true, cell: ([, room]) => decimal(room.headroom) },
      ]}
    />
  );
}

function RequirementsPart({ require }: { require: Requirements }) {
  const { view, navigate } = usePlace();
  const set = (next: Requirements) => navigate(withOwn(view, { require: toRequire(next) }));
  return (
    <section id="requirements" class="panel wide" aria-labelledby="requirements-title">
      <h2 id="requirements-title">What must hold</h2>
      <p class="note">
        Yours to say; an empty field requires nothing. They go with the address, and are what{" "}
        <code>capacity gate --require</code> takes.
      </p>
      <div class="requirements">
        {BOUNDS.map(([name, title, unit]) => (
          <BoundField
            key={name}
            name={name}
            title={`${title} (${unit})`}
            value={require[name]}
            set={(value) => set(without(require, name, value))}
          />
        ))}
        <label class="tick">
          <input
            type="checkbox"
            data-testid="require-weekly_peak"
            checked={require.weekly_peak === true}
            onChange={(event) => set({ ...require, weekly_peak: event.currentTarget.checked })}
          />{" "}
          A whole week, and so its peak
        </label>
        <Lines
          name="constraints"
          title="Further bounds, one a line, such as wait_s.p95 <= 60"
          value={require.constraints ?? []}
          set={(constraints) => set({ ...require, constraints })}
        />
        <Lines
          name="accept_holes"
          title="Holes that whoever signs accepts, one code a line"
          value={require.accept_holes ?? []}
          set={(accept_holes) => set({ ...require, accept_holes })}
        />
      </div>
    </section>
  );
}

function without(require: Requirements, name: Bound, value: number | null): Requirements {
  const { [name]: _, ...rest } = require;
  return value === null ? rest : { ...rest, [name]: value };
}

function BoundField({
  name,
  title,
  value,
  set,
}: {
  name: string;
  title: string;
  value: number | undefined;
  set: (value: number | null) => void;
}) {
  return (
    <label>
      <span>{title}</span>
      <input
        type="number"
        data-testid={`require-${name}`}
        min={0}
        step="any"
        value={value ?? ""}
        onChange={(event) => {
          const text = event.currentTarget.value;
          const number = Number(text);
          if (text === "" || (Number.isFinite(number) && number >= 0)) {
            set(text === "" ? null : number);
          }
        }}
      />
    </label>
  );
}

function Lines({
  name,
  title,
  value,
  set,
}: {
  name: string;
  title: string;
  value: readonly string[];
  set: (value: string[]) => void;
}) {
  return (
    <label>
      <span>{title}</span>
      <textarea
        data-testid={`require-${name}`}
        rows={2}
        spellcheck={false}
        value={value.join("\n")}
        onChange={(event) => set(lines(event.currentTarget.value))}
      />
    </label>
  );
}
