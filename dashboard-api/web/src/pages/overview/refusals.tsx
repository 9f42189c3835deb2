import type { Resource } from "../../api/resource";
import type { Decisions } from "../../api/schema";
import { Bar, Figure, ViewLink } from "../../parts/figure";
import { Panel } from "../../parts/panel";
import { DataTable } from "../../parts/table";
import { usePlace } from "../../state/place";
import { type Filters, rowsView } from "../../state/view";
import { count, groupName, share } from "../../text/format";
import { noCalls } from "./decisions";

const REFUSED: Filters = { decision: ["shadow-refused", "refused"] };

type Group = Decisions["groups"][number];

/** Which lane stopped the calls: its part of all that were refused. */
export function LanesPanel({ decisions }: { decisions: Resource<Decisions> }) {
  return (
    <Panel
      id="by-lane"
      title="Refused by lane"
      note="The lane reported: the first one full, a paused one before others."
      resource={decisions}
      empty={(data) => noCalls(data) ?? (data.refused === 0 ? "No call was refused." : null)}
    >
      {(data) => (
        <RefusalTable
          name="scope"
          title="Lane"
          data={data}
          groups={data.groups.filter((group) => group.value !== null || group.refused > 0)}
          callsId={(group) => `scope-${testName(group)}`}
          shareTitle="Of all refused"
          shareOf={(group) => (data.refused === 0 ? null : group.refused / data.refused)}
        />
      )}
    </Panel>
  );
}

/** Whom the limits hit: the refused share of each tier's calls. */
export function TiersPanel({ decisions }: { decisions: Resource<Decisions> }) {
  return (
    <Panel
      id="by-tier"
      title="Refused by tier"
      note="The share of the tier's own calls."
      resource={decisions}
      empty={noCalls}
    >
      {(data) => (
        <RefusalTable
          name="tier"
          title="Tier"
          data={data}
          groups={data.groups}
          callsId={(group) => `tier-${testName(group)}-calls`}
          shareTitle="Share"
          shareOf={(group) => group.refused_share}
        />
      )}
    </Panel>
  );
}

function RefusalTable({
  name,
  title,
  data,
  groups,
  callsId,
  shareTitle,
  shareOf,
}: {
  name: "scope" | "tier";
  title: string;
  data: Decisions;
  groups: Group[];
  callsId: (group: Group) => string;
  shareTitle: string;
  shareOf: (group: Group) => number | null;
}) {
  const { view } = usePlace();
  return (
    <DataTable
      id={`by-${name}`}
      label={`Refused by ${title.toLowerCase()}`}
      rows={groups}
      rowKey={testName}
      columns={[
        {
          id: "value",
          title,
          header: true,
          by: (group) => groupName(group.value),
          cell: (group) => groupName(group.value),
        },
        {
          id: "calls",
          title: "Calls",
          number: true,
          by: (group) => group.calls,
          cell: (group) => (
            <ViewLink view={rowsView(view, name, group.value)}>
              <Figure id={callsId(group)} value={group.calls}>
                {count(group.calls)}
              </Figure>
            </ViewLink>
          ),
        },
        {
          id: "refused",
          title: "Refused",
          number: true,
          by: (group) => group.refused,
          cell: (group) => (
            <ViewLink view={rowsView(view, name, group.value, REFUSED)}>
              <Figure id={`${name}-${testName(group)}-refused`} value={group.refused}>
                {count(group.refused)}
              </Figure>
            </ViewLink>
          ),
        },
        {
          id: "share",
          title: shareTitle,
          number: true,
          by: shareOf,
          cell: (group) => (
            <Figure id={`${name}-${testName(group)}-share`} value={shareOf(group)}>
              {share(shareOf(group))}
            </Figure>
          ),
        },
        {
          id: "bar",
          title: <span class="hidden">Bar</span>,
          cell: (group) => <Bar fraction={shareOf(group)} kind="shadow-refused" />,
        },
      ]}
      last={
        data.other !== null && (
          <tr>
            <th scope="row">{count(data.other.values)} others</th>
            <td class="number">{count(data.other.calls)}</td>
            <td class="number">{count(data.other.refused)}</td>
            <td class="number">{share(data.other.refused_share)}</td>
            <td />
          </tr>
        )
      }
    />
  );
}

/** No value could be named so: values come from lines, and this one has no value. */
function testName(group: Group): string {
  return group.value === null ? "(none)" : String(group.value);
}
