import { address, ask } from "../../api/client";
import { useResource } from "../../api/resource";
import { Copy } from "../../parts/copy";
import { Panel } from "../../parts/panel";
import { DataTable } from "../../parts/table";
import { useMay } from "../../state/me";
import { usePlace } from "../../state/place";
import { useTick } from "../../state/tick";
import { MISSING, decimal, share } from "../../text/format";
import { stateText } from "./calibrations";
import { Curve } from "./curve";
import { VerdictOf } from "./verdict";
import { limitAt, type Recommendation, type Result } from "./result";

/** One calibration: its progress, then what it says. */
export function JobPanel({ id }: { id: string }) {
  const { tick } = usePlace();
  const mayRead = useMay("personal_data");
  const [often] = useTick(2);
  const job = useResource(ask("/api/v1/calibrations/{id}", {}, { id }), tick + often);
  return (
    <Panel
      id="job"
      title="This calibration"
      resource={job}
      wide
      partial={(data) => {
        const blocks = (data.result as Result | null)?.cannot_conclude ?? [];
        return blocks.length === 0 ? null : `Nothing can be concluded: ${blocks.join(" ")}`;
      }}
    >
      {(data) => {
        const result = data.result as Result | null;
        return (
          <>
            <p role="status" data-testid="job-state" data-value={data.state}>
              {stateText(data)}
            </p>
            {result !== null && (
              <>
                <ul class="findings">
                  {(result.summary ?? []).map((sentence) => (
                    <li key={sentence}>{sentence}</li>
                  ))}
                </ul>
                {mayRead ? (
                  <p>
                    <a
                      href={address("/api/v1/calibrations/{id}/report", {}, { id })}
                      target="_blank"
                      rel="noreferrer"
                    >
                      Open the report
                    </a>
                  </p>
                ) : (
                  <p class="note">The report tells of users: it needs the role operator.</p>
                )}
                {result.gate !== undefined && (
                  <section class="part" aria-labelledby="job-gate-title">
                    <h3 id="job-gate-title">The gate’s verdict</h3>
                    <VerdictOf id="job-gate" gate={result.gate} />
                  </section>
                )}
                {result.recommendation !== undefined && (
                  <Recommended recommendation={result.recommendation} />
                )}
                <Curves result={result} />
                <Binds result={result} />
              </>
            )}
          </>
        );
      }}
    </Panel>
  );
}

function Recommended({ recommendation }: { recommendation: Recommendation }) {
  const { patch, command, reason, constraints, screened } = recommendation;
  return (
    <section class="part" aria-labelledby="recommended-title">
      <h3 id="recommended-title">Recommendation</h3>
      <p data-testid="recommendation">{reason}</p>
      <p class="note">
        {screened} configs screened; it must hold: {constraints.join("; ") || "nothing was asked"}.
      </p>
      {patch !== null && command !== null && (
        <div class="halves">
          <Copy label="PATCH body" text={JSON.stringify(patch, null, 2)} />
          <Copy label="Command line" text={command} />
        </div>
      )}
    </section>
  );
}

function Curves({ result }: { result: Result }) {
  const curves = Object.entries(result.curves ?? {});
  return curves.length === 0 ? null : (
    <section class="part" aria-labelledby="curves-title">
      <h3 id="curves-title">Refused calls at every value of each limit</h3>
      <div class="multiples small">
        {curves.map(([path, points]) => (
          <Curve
            key={path}
            title={path}
            points={points.map((point) => ({ x: point.value, y: point.refused_calls_share }))}
            now={limitAt(result.config?.asked, path)}
            text={share}
          />
        ))}
      </div>
    </section>
  );
}

function Binds({ result }: { result: Result }) {
  const { binding = [], what_if: fixes = [] } = result;
  return (
    <div class="halves">
      {binding.length > 0 && (
        <div>
          <h3>Which lane stands in the way</h3>
          <DataTable
            id="binds"
            label="Which lane stands in the way"
            rows={binding}
            rowKey={(one) => one.lane}
            columns={[
              { id: "lane", title: "Lane", header: true, cell: (one) => one.lane },
              { id: "alone", title: "Alone", number: true, by: (one) => one.alone, cell: (one) => share(one.alone) },
              {
                id: "together",
                title: "With others",
                number: true,
                by: (one) => one.together,
                cell: (one) => share(one.together),
              },
              {
                id: "lifted",
                title: "Refused if lifted",
                number: true,
                by: (one) => one.refused_calls_share_if_lifted,
                cell: (one) => share(one.refused_calls_share_if_lifted),
              },
              { id: "next", title: "Binds next", cell: (one) => one.binds_next ?? MISSING },
            ]}
          />
        </div>
      )}
      {fixes.length > 0 && (
        <div>
          <h3>Other fixes</h3>
          <DataTable
            id="fixes"
            label="Other fixes"
            rows={fixes}
            rowKey={(one) => one.name}
            columns={[
              { id: "fix", title: "Fix", header: true, cell: (one) => <span class="path">{one.title}</span> },
              {
                id: "refused",
                title: "Refused",
                number: true,
                by: (one) => one.refused_calls_share,
                cell: (one) => share(one.refused_calls_share),
              },
              {
                id: "wait",
                title: "Wait p95, s",
                number: true,
                by: (one) => one.wait_s_p95,
                cell: (one) => decimal(one.wait_s_p95),
              },
            ]}
          />
        </div>
      )}
    </div>
  );
}
