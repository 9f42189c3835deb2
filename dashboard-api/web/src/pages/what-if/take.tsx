import type { Resource } from "../../api/resource";
import type { Requirements, WhatIf } from "../../api/schema";
import { Copy } from "../../parts/copy";
import { Panel } from "../../parts/panel";

/** The asked-for limits, to be taken to the limiter; nothing here changes it. */
export function TakePanel({
  whatIf,
  require,
}: {
  whatIf: Resource<WhatIf>;
  require: Requirements;
}) {
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
              label="The gate’s verdict on them, on lines of any length (exit 0: PASS, 3: not)"
              id="take-gate"
              text={[
                `echo '${quoted(data.patch)}' > candidate.json`,
                `echo '${quoted(require)}' > require.json`,
                "capacity gate --candidate candidate.json --require require.json api-a.log api-b.log",
              ].join("\n")}
            />
          </div>
        </div>
      )}
    </Panel>
  );
}

/** As JSON that stands between a shell's single quotes. */
function quoted(value: object): string {
  return JSON.stringify(value).replaceAll("'", "'\\''");
}
