import { ask } from "../../api/client";
import { useResource } from "../../api/resource";
import type { Usage } from "../../api/schema";
import { Choice, chosen } from "../../parts/choice";
import { Bar, Fact, Figure, ViewLink } from "../../parts/figure";
import { Panel } from "../../parts/panel";
import { type Column, DataTable } from "../../parts/table";
import { usePlace, useTime } from "../../state/place";
import { linkedView, refusedAmong } from "../../state/view";
import { count, decimal, groupName, MISSING, share, span } from "../../text/format";

const BY = [
  ["tier", "tier"],
  ["user", "user"],
  ["run", "run"],
  ["request_source", "request source"],
  ["algorithm_id", "algorithm"],
  ["task", "API task"],
  ["endpoint", "endpoint"],
] as const;

const ORDER = [
  ["refused", "most refused"],
  ["calls", "most calls"],
  ["lease_seconds", "most lease time"],
  ["refused_share", "greatest share refused"],
] as const;

const ROWS = 50;

type Group = Usage["groups"][number] & { place: number };

/** Who is refused and who fills the lanes, beside a fair share. */
export function UsagePanel() {
  const { view, tick } = usePlace();
  const time = useTime();
  const by = chosen(view.own, "by", BY);
  const order = chosen(view.own, "order", ORDER);
  const usage = useResource(
    ask("/api/v1/usage", { ...time, group_by: by, order, limit: ROWS }),
    tick,
  );
  return (
    <Panel
      id="usage"
      title="Who is refused, and who fills the lanes"
      resource={usage}
      wide
      note="Lease time is the sum of the time held. A fair share is one part of as many as there are users (or values); above 1 is more than that."
      empty={(data) => (data.groups.length === 0 ? "No call with a time in this period." : null)}
      partial={(data) =>
        data.values > data.groups.length
          ? `The first ${count(data.groups.length)} of ${count(data.values)} are shown.`
          : null
      }
    >
      {(data) => (
        <>
          <div class="choices">
            <Choice label="By" name="by" options={BY} />
            <Choice label="First" name="order" options={ORDER} />
          </div>
          <dl class="facts">
            <Fact name="users">
              <Figure id="users" value={data.users}>
                {count(data.users)}
              </Figure>
            </Fact>
            <Fact name="lease time in all">
              <Figure id="lease-seconds" value={data.lease_seconds}>
                {span(data.lease_seconds * 1000)}
              </Figure>
            </Fact>
            <Fact name="a fair share">{share(data.fair_share)}</Fact>
            <Fact name="calls of unknown time">{count(data.of_unknown_time)}</Fact>
          </dl>
          {data.groups.some((group) => group.hidden) && (
            <p class="note">
              Who they are is personal data, which your role doesn’t show: they are told by their
              place here.
            </p>
          )}
          <DataTable
            id="usage"
            label={`Usage by ${by}`}
            rows={data.groups.map((group, i) => ({ ...group, place: i + 1 }))}
            rowKey={nameOf}
            columns={columns(by)}
          />
        </>
      )}
    </Panel>
  );
}

function nameOf(group: Group): string {
  return group.hidden ? `#${group.place}` : groupName(group.value);
}

function columns(by: string): Column<Group>[] {
  return [
    { id: "value", title: by.replaceAll("_", " "), header: true, by: nameOf, cell: nameOf },
    {
      id: "calls",
      title: "Calls",
      number: true,
      by: (g) => g.calls,
      cell: (g) => <Rows rows={g.rows} id={`usage-${nameOf(g)}-calls`} value={g.calls} />,
    },
    {
      id: "refused",
      title: "Refused",
      number: true,
      by: (g) => g.refused,
      cell: (g) => (
        <Rows rows={refusedAmong(g.rows)} id={`usage-${nameOf(g)}-refused`} value={g.refused} />
      ),
    },
    {
      id: "share",
      title: "Share refused",
      number: true,
      by: (g) => g.refused_share,
      cell: (g) => share(g.refused_share),
    },
    {
      id: "refused-bar",
      title: <span class="hidden">Bar of the share refused</span>,
      cell: (g) => <Bar fraction={g.refused_share} kind="shadow-refused" />,
    },
    {
      id: "lease",
      title: "Lease time",
      number: true,
      by: (g) => g.lease_seconds,
      cell: (g) => (
        <Figure id={`usage-${nameOf(g)}-lease`} value={g.lease_seconds}>
          {span(g.lease_seconds * 1000)}
        </Figure>
      ),
    },
    {
      id: "lease-share",
      title: "Of all",
      number: true,
      by: (g) => g.lease_share,
      cell: (g) => share(g.lease_share),
    },
    {
      id: "lease-bar",
      title: <span class="hidden">Bar of the lease time</span>,
      cell: (g) => <Bar fraction={g.lease_share} kind="admitted" />,
    },
    {
      id: "fair",
      title: "Fair shares",
      number: true,
      by: (g) => g.fair_multiple,
      cell: (g) => (g.fair_multiple === null ? MISSING : `${decimal(g.fair_multiple)} ×`),
    },
    { id: "users", title: "Users", number: true, by: (g) => g.users, cell: (g) => count(g.users) },
    {
      id: "limit",
      title: "Its limit",
      number: true,
      by: (g) => g.limit_max,
      cell: (g) => count(g.limit_max),
    },
  ];
}

function Rows({ rows, id, value }: { rows: string | null; id: string; value: number }) {
  const { view } = usePlace();
  return (
    <ViewLink view={linkedView(view, rows)}>
      <Figure id={id} value={value}>
        {count(value)}
      </Figure>
    </ViewLink>
  );
}
