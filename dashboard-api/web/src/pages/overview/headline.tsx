import { ask } from "../../api/client";
import { type Resource, useResource } from "../../api/resource";
import type { Decisions } from "../../api/schema";
import { Figure, Time, ViewLink } from "../../parts/figure";
import { Panel } from "../../parts/panel";
import { usePlace } from "../../state/place";
import { callsView, type Filters, onPage } from "../../state/view";
import { change, count, duration, share } from "../../text/format";
import { decisionColor, decisionOrder } from "../../text/series";
import { intervalText } from "../what-if/estimates";
import { newestCorrection } from "./corrected";
import { previousPeriod } from "./previous";

const WITH_TIME: Filters = { untimed: ["false"] };

/** The answer: how many calls, how many refused, of what period, and what changed since the one before. */
export function Headline({ decisions }: { decisions: Resource<Decisions> }) {
  const { view } = usePlace();
  const refused = callsView(view, { decision: ["shadow-refused", "refused"], ...WITH_TIME });
  return (
    <Panel
      id="headline"
      title="Refused, or would be"
      resource={decisions}
      wide
      alarm={{
        name: "RefusedShare",
        metric: "refused_share",
        filters: {},
        threshold: 0.2,
        share: true,
        summary: "{{ $value }} of calls are or would be refused",
      }}
    >
      {(data) => (
        <>
          <div class="answer">
            <p class="big">
              <Figure id="refused-share" value={data.refused_share}>
                {share(data.refused_share)}
              </Figure>
              <span class="unit">
                of calls refused:{" "}
                <ViewLink view={refused}>
                  <Figure id="refused" value={data.refused}>
                    {count(data.refused)}
                  </Figure>
                </ViewLink>{" "}
                of{" "}
                <ViewLink view={callsView(view, WITH_TIME)}>
                  <Figure id="calls" value={data.calls}>
                    {count(data.calls)}
                  </Figure>
                </ViewLink>{" "}
                calls
              </span>
            </p>
            <ul class="decisions" aria-label="Calls by decision">
              {decisionOrder(Object.keys(data.totals)).map((name) => (
                <li key={name}>
                  <span class={`swatch ${decisionColor(name)}`} aria-hidden="true" />
                  {name}{" "}
                  <ViewLink view={callsView(view, { decision: [name], ...WITH_TIME })}>
                    <Figure id={`decision-${name}`} value={data.totals[name]}>
                      {count(data.totals[name])}
                    </Figure>
                  </ViewLink>
                </li>
              ))}
            </ul>
          </div>
          <p class="period">
            {data.from === null || data.to === null ? (
              "No calls stored yet"
            ) : (
              <>
                <Figure id="period" value={`${data.from}/${data.to}`}>
                  <Time at={data.from} seconds={false} /> to <Time at={data.to} seconds={false} />
                </Figure>{" "}
                UTC ({duration((Date.parse(data.to) - Date.parse(data.from)) / 1000)})
              </>
            )}
            {data.untimed > 0 && (
              <>
                ; besides,{" "}
                <ViewLink view={callsView(view, { untimed: ["true"] })}>
                  <Figure id="untimed" value={data.untimed}>
                    {count(data.untimed)}
                  </Figure>{" "}
                  calls without a time
                </ViewLink>
              </>
            )}
          </p>
          <SincePrevious data={data} />
          <Corrected />
        </>
      )}
    </Panel>
  );
}

/** What is different from the period of the same length just before. */
function SincePrevious({ data }: { data: Decisions }) {
  const { tick } = usePlace();
  const period = previousPeriod(data);
  const before = useResource(period === null ? null : ask("/api/v1/decisions", { ...period, series: false }), tick);
  if (period === null || before.data === null) {
    return null;
  }
  const then = before.data;
  return (
    <p class="period">
      The {duration((Date.parse(period.to) - Date.parse(period.from)) / 1000)} before:{" "}
      {then.calls === 0 ? (
        "no calls are known"
      ) : (
        <>
          <Figure id="previous-share" value={then.refused_share}>
            {share(then.refused_share)}
          </Figure>{" "}
          of{" "}
          <Figure id="previous-calls" value={then.calls}>
            {count(then.calls)}
          </Figure>{" "}
          calls; now {change(then.refused_share, data.refused_share)}
        </>
      )}
    </p>
  );
}

/**
 * What enforcement would refuse, where a calibration of the limits in force has said so: shadow
 * counts overstate, since calls that would have been refused ran and held slots.
 */
function Corrected() {
  const { view, tick } = usePlace();
  const calibrations = useResource(ask("/api/v1/calibrations"), tick);
  const found = newestCorrection(calibrations.data?.calibrations ?? []);
  if (found === null) {
    return null;
  }
  const { job, estimate } = found;
  const interval = intervalText(estimate, share);
  return (
    <p class="period">
      Corrected for calls that would not have run:{" "}
      <Figure id="corrected-share" value={estimate.value}>
        {share(estimate.value)}
      </Figure>
      {interval !== null && ` (${interval})`} refused at least once, says the{" "}
      <ViewLink view={onPage({ ...view, from: job.from, to: job.to }, "what-if", { job: [job.id] })}>
        calibration of <Time at={job.from} seconds={false} /> to <Time at={job.to} seconds={false} />
      </ViewLink>
    </p>
  );
}
