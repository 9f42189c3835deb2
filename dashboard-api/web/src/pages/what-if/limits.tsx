import type { Resource } from "../../api/resource";
import type { WhatIf } from "../../api/schema";
import { Choice } from "../../parts/choice";
import { Fact } from "../../parts/figure";
import { stateOf } from "../../parts/panel";
import { usePlace } from "../../state/place";
import { withOwn } from "../../state/view";
import { ENFORCE, farEnd, limitPaths, toSet } from "./asked";

const MEANINGS = [
  ["api_heavy.cluster", "heavy calls at once, all API tasks together"],
  ["api_heavy.per_task", "heavy calls at once on one API task"],
  ["es2_knn", "semantic searches at once"],
  ["reserve_single_row", "slots of the cluster that only single-row calls may take"],
  ["tiers.NAME", "heavy calls at once of all users of a tier"],
  ["per_user.NAME", "heavy calls at once of one user of a tier"],
] as const;

/** A slider for every limit, with what is in force beside it. */
export function LimitsPanel({
  whatIf,
  last,
  changes,
}: {
  whatIf: Resource<WhatIf>;
  last: WhatIf | null;
  changes: Readonly<Record<string, number>>;
}) {
  const { view, navigate } = usePlace();
  const config = last?.config ?? {};
  const paths = limitPaths(config);
  const set = (path: string, value: number) =>
    navigate(withOwn(view, { set: toSet({ ...changes, [path]: value }, config) }));
  return (
    <section
      id="limits"
      class="panel wide"
      aria-labelledby="limits-title"
      data-state={last === null ? stateOf(null, whatIf.error, null, null) : "whole"}
    >
      <h2 id="limits-title">Limits</h2>
      <p class="note">
        Move a limit: the calls of the period are replayed, closed loop, under the limits in force
        and under yours.
      </p>
      <details>
        <summary>What each limit is</summary>
        <dl class="facts">
          {MEANINGS.map(([name, meaning]) => (
            <Fact key={name} name={name}>
              {meaning}
            </Fact>
          ))}
        </dl>
      </details>
      <div class="choices">
        <Choice label="Enforced for" name="enforce" options={ENFORCE} />
        <button
          type="button"
          disabled={Object.keys(changes).length === 0}
          onClick={() => navigate(withOwn(view, { set: [] }))}
        >
          Back to those in force
        </button>
        <span role="status" class="quiet">
          {whatIf.loading ? "Replaying…" : ""}
        </span>
      </div>
      {last === null && whatIf.error === null && <p class="loading">Reading the calls…</p>}
      <div class="sliders">
        {paths.map((path) => (
          <Slider
            key={path}
            path={path}
            inForce={Number(config[path])}
            value={changes[path] ?? Number(config[path])}
            set={(value) => set(path, value)}
          />
        ))}
      </div>
    </section>
  );
}

function Slider({
  path,
  inForce,
  value,
  set,
}: {
  path: string;
  inForce: number;
  value: number;
  set: (value: number) => void;
}) {
  const name = `limit-${path}`;
  return (
    <div class={value === inForce ? "slider" : "slider changed"}>
      <label for={name}>{path}</label>
      <input
        id={name}
        data-testid={name}
        type="range"
        min={0}
        max={farEnd(inForce, value)}
        step={1}
        value={value}
        aria-valuetext={`${value}, ${inForce} in force`}
        onChange={(event) => set(Number(event.currentTarget.value))}
      />
      <input
        type="number"
        aria-label={`${path}, exactly`}
        min={0}
        max={100000}
        step={1}
        value={value}
        onChange={(event) => {
          const next = Number(event.currentTarget.value);
          if (Number.isInteger(next) && next >= 0) {
            set(next);
          }
        }}
      />
      <span class="quiet">{value === inForce ? "in force" : `in force ${inForce}`}</span>
    </div>
  );
}
