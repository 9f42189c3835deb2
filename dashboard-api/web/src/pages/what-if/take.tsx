import type { Resource } from "../../api/resource";
import type { WhatIf } from "../../api/schema";
import { Copy } from "../../parts/copy";
import { Panel } from "../../parts/panel";

/** The asked-for limits, to be taken to the limiter; nothing here changes it. */
export function TakePanel({ whatIf }: { whatIf: Resource<WhatIf> }) {
  return (
    <Panel
      id="take"
      title="Take these limits along"
      resource={whatIf}
      wide
      note="Nothing here changes the limiter."
      empty={(data) =>
        Object.keys(data.changes).length === 0 ? "The limits are those in force." : null
      }
    >
      {(data) => (
        <div class="halves">
          <Copy label="PATCH body" id="take-patch" text={JSON.stringify(data.patch, null, 2)} />
          <div>
            <Copy label="Command line" id="take-command" text={data.command} />
            <Copy
              label="The gate’s verdict on them, with your requirements (exit 0: PASS, 3: not)"
              text={[
                `echo '${JSON.stringify(data.patch)}' > candidate.json`,
                "capacity gate --candidate candidate.json --require require.yaml api-a.log api-b.log",
              ].join("\n")}
            />
          </div>
        </div>
      )}
    </Panel>
  );
}
