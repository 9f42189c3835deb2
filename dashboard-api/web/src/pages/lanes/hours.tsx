import { ask } from "../../api/client";
import { useResource } from "../../api/resource";
import type { LanesHeatmap } from "../../api/schema";
import { chosen } from "../../parts/choice";
import { Panel } from "../../parts/panel";
import { TableFrame } from "../../parts/table";
import { usePlace, useTime } from "../../state/place";
import { count, decimal, share } from "../../text/format";
import { heatLevel } from "../../text/heat";
import { LANES } from "./choices";

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

type Cell = LanesHeatmap["cells"][number];

/** When a lane is full: the share of minutes, by hour and weekday in UTC, so that no hour is twice or never. */
export function HoursPanel() {
  const { view, tick } = usePlace();
  const time = useTime();
  const wanted = chosen(view.own, "lane", LANES);
  const lane = wanted === "all" ? "api_heavy" : wanted;
  const heat = useResource(ask("/api/v1/lanes/heatmap", { ...time, lane }), tick);
  return (
    <Panel
      id="hours"
      title={`When ${lane} is full`}
      resource={heat}
      wide
      note="The share of minutes in which a call found it full, by weekday and hour in UTC; the lane is chosen above. An empty cell has no data."
      empty={(data) =>
        data.cells.every((cell) => cell.minutes === 0) ? "There is no data in this period." : null
      }
      partial={(data) => {
        const without = 168 - data.cells.filter((cell) => cell.minutes > 0).length;
        return without === 0 ? null : `${count(without)} of the week's 168 hours are not in the data.`;
      }}
    >
      {(data) => <Week cells={data.cells} />}
    </Panel>
  );
}

function Week({ cells }: { cells: readonly Cell[] }) {
  const at = new Map(cells.map((cell) => [cell.weekday * 24 + cell.hour, cell]));
  return (
    <TableFrame label="Share of minutes full by weekday and hour">
      <thead>
        <tr>
          <th scope="col">UTC</th>
          {HOURS.map((hour) => (
            <th scope="col" class="hour" key={hour}>
              {String(hour).padStart(2, "0")}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {WEEKDAYS.map((name, day) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {HOURS.map((hour) => (
              <Hour key={hour} cell={at.get((day + 1) * 24 + hour)} name={`${name} ${hour} h`} />
            ))}
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}

function Hour({ cell, name }: { cell: Cell | undefined; name: string }) {
  if (cell === undefined || cell.minutes === 0 || cell.minutes_full === null) {
    return (
      <td class="heat">
        <span class="hidden">no data</span>
      </td>
    );
  }
  const part = cell.minutes_full / cell.minutes;
  return (
    <td
      class={`heat heat-${heatLevel(part)}`}
      data-testid={`hour-${cell.weekday}-${cell.hour}`}
      data-value={part}
      title={`${name}: full in ${count(cell.minutes_full)} of ${count(cell.minutes)} minutes; ${count(cell.full)} of ${count(cell.calls)} calls (${share(cell.full_share)}); in flight ${decimal(cell.in_flight_mean)} in the mean, ${count(cell.in_flight_max)} at most`}
    >
      {part === 0 ? "0" : Math.round(part * 100)}
      <span class="hidden"> %</span>
    </td>
  );
}
