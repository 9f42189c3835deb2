import type { DecisionGroup, Decisions } from "../api";
import { count, groupName, share } from "../format";
import type { Navigate, Resource } from "../hooks";
import { Bar, Figure, Panel, TableFrame, ViewLink } from "../parts";
import { filteredView, type View } from "../state";
import { noCalls } from "./decisions";

interface Props {
  api: string;
  decisions: Resource<Decisions>;
  view: View;
  navigate: Navigate;
}

const REFUSED: View["filters"] = { decision: ["shadow-refused", "refused"] };

/** Which lane stopped the calls: its part of all that were refused. */
export function LanesPanel({ api, decisions, view, navigate }: Props) {
  return (
    <Panel
      id="lanes"
      title="Refused by lane"
      note="The lane reported: the first one full, a paused one before others."
      api={api}
      resource={decisions}
      empty={(data) => noCalls(data) ?? (data.refused === 0 ? "No call was refused." : null)}
    >
      {(data) => (
        <TableFrame label="Refused by lane">
          <thead>
            <tr>
              <th scope="col">Lane</th>
              <th scope="col" class="number">
                Calls reporting it
              </th>
              <th scope="col" class="number">
                Refused
              </th>
              <th scope="col" class="number">
                Of all refused
              </th>
              <th scope="col">
                <span class="hidden">Bar</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.groups
              .filter((group) => group.value !== null || group.refused > 0)
              .map((group) => {
                const part = data.refused === 0 ? null : group.refused / data.refused;
                const id = testName(group);
                return (
                  <tr key={id}>
                    <th scope="row">{groupName(group.value)}</th>
                    <td class="number">
                      <ViewLink
                        view={filteredView(view, "scope", group.value)}
                        place="#calls"
                        navigate={navigate}
                      >
                        <Figure id={`scope-${id}`} value={group.calls}>
                          {count(group.calls)}
                        </Figure>
                      </ViewLink>
                    </td>
                    <td class="number">
                      <ViewLink
                        view={filteredView(view, "scope", group.value, REFUSED)}
                        place="#calls"
                        navigate={navigate}
                      >
                        <Figure id={`scope-${id}-refused`} value={group.refused}>
                          {count(group.refused)}
                        </Figure>
                      </ViewLink>
                    </td>
                    <td class="number">{share(part)}</td>
                    <td>
                      <Bar fraction={part} kind="shadow-refused" />
                    </td>
                  </tr>
                );
              })}
            <Other data={data} />
          </tbody>
        </TableFrame>
      )}
    </Panel>
  );
}

/** Whom the limits hit: the refused share of each tier's calls. */
export function TiersPanel({ api, decisions, view, navigate }: Props) {
  return (
    <Panel
      id="tiers"
      title="Refused by tier"
      note="The share of the tier's own calls."
      api={api}
      resource={decisions}
      empty={noCalls}
    >
      {(data) => (
        <TableFrame label="Refused by tier">
          <thead>
            <tr>
              <th scope="col">Tier</th>
              <th scope="col" class="number">
                Calls
              </th>
              <th scope="col" class="number">
                Refused
              </th>
              <th scope="col" class="number">
                Share
              </th>
              <th scope="col">
                <span class="hidden">Bar</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.groups.map((group) => {
              const id = testName(group);
              return (
                <tr key={id}>
                  <th scope="row">{groupName(group.value)}</th>
                  <td class="number">
                    <ViewLink
                      view={filteredView(view, "tier", group.value)}
                      place="#calls"
                      navigate={navigate}
                    >
                      <Figure id={`tier-${id}-calls`} value={group.calls}>
                        {count(group.calls)}
                      </Figure>
                    </ViewLink>
                  </td>
                  <td class="number">
                    <ViewLink
                      view={filteredView(view, "tier", group.value, REFUSED)}
                      place="#calls"
                      navigate={navigate}
                    >
                      <Figure id={`tier-${id}-refused`} value={group.refused}>
                        {count(group.refused)}
                      </Figure>
                    </ViewLink>
                  </td>
                  <td class="number">
                    <Figure id={`tier-${id}-share`} value={group.refused_share}>
                      {share(group.refused_share)}
                    </Figure>
                  </td>
                  <td>
                    <Bar fraction={group.refused_share} kind="shadow-refused" />
                  </td>
                </tr>
              );
            })}
            <Other data={data} />
          </tbody>
        </TableFrame>
      )}
    </Panel>
  );
}

function Other({ data }: { data: Decisions }) {
  return data.other === null ? null : (
    <tr>
      <th scope="row">{count(data.other.values)} others</th>
      <td class="number">{count(data.other.calls)}</td>
      <td class="number">{count(data.other.refused)}</td>
      <td class="number">{share(data.other.refused_share)}</td>
      <td />
    </tr>
  );
}

/** No value could be named so: values come from lines, and this one has no value. */
function testName(group: DecisionGroup): string {
  return group.value === null ? "(none)" : String(group.value);
}
