import { ask } from "../../api/client";
import { useResource } from "../../api/resource";
import { Bar, Figure, ViewLink } from "../../parts/figure";
import { Panel } from "../../parts/panel";
import { DataTable } from "../../parts/table";
import { usePlace, useTime } from "../../state/place";
import { callsView } from "../../state/view";
import { count, share } from "../../text/format";

/** Which lanes stand in the way alone, and which only with others. */
export function BindingPanel() {
  const { view, tick } = usePlace();
  const time = useTime();
  const binding = useResource(ask("/api/v1/lanes/binding", time), tick);
  return (
    <Panel
      id="binding"
      title="Which lanes bind together"
      note="Calls by the whole set of lanes that they found full. Raising one limit of a set gains nothing: the others stand in the way."
      resource={binding}
      wide
      empty={(data) => (data.full === 0 ? "No call found a lane full." : null)}
    >
      {(data) => (
        <DataTable
          id="binding"
          label="Sets of full lanes"
          rows={data.sets}
          rowKey={(set) => set.lanes.join("+")}
          tall
          columns={[
            {
              id: "lanes",
              title: "Full together",
              header: true,
              by: (set) => set.lanes.join(" + "),
              cell: (set) => set.lanes.join(" + "),
            },
            {
              id: "calls",
              title: "Calls",
              number: true,
              by: (set) => set.calls,
              cell: (set) => (
                <ViewLink view={set.lanes.length === 1 ? null : callsView(view, { full: set.lanes, untimed: ["false"] })}>
                  <Figure id={`set-${set.lanes.join("+")}`} value={set.calls}>
                    {count(set.calls)}
                  </Figure>
                </ViewLink>
              ),
            },
            {
              id: "share",
              title: "Of all that found one full",
              number: true,
              by: (set) => set.share,
              cell: (set) => share(set.share),
            },
            {
              id: "bar",
              title: <span class="hidden">Bar</span>,
              cell: (set) => <Bar fraction={set.share} kind="shadow-refused" />,
            },
          ]}
        />
      )}
    </Panel>
  );
}
