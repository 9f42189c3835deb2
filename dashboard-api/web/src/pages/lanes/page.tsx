import { ask } from "../../api/client";
import { useResource } from "../../api/resource";
import { chosen } from "../../parts/choice";
import { usePlace, useTime } from "../../state/place";
import { BindingPanel } from "./binding";
import { BY, LANES } from "./choices";
import { HoursPanel } from "./hours";
import { IntervalsPanel } from "./intervals";
import { OccupancyPanel } from "./occupancy";
import { LanesPanel } from "./table";

/** Where it saturates: each lane against its limit, when, and which lanes bind. */
export function LanesPage() {
  const { view, tick } = usePlace();
  const time = useTime();
  const by = chosen(view.own, "by", BY);
  const lane = chosen(view.own, "lane", LANES);
  const lanes = useResource(ask("/api/v1/lanes", time), tick);
  const grouped = useResource(
    by === "lane" && lane === "all"
      ? null
      : ask("/api/v1/lanes", {
          ...time,
          ...(lane === "all" ? {} : { lane: [lane] }),
          ...(by === "lane" ? {} : { group_by: by }),
        }),
    tick,
  );
  return (
    <>
      <LanesPanel lanes={lanes} />
      <OccupancyPanel lanes={by === "lane" && lane === "all" ? lanes : grouped} />
      <HoursPanel />
      <BindingPanel />
      <IntervalsPanel />
    </>
  );
}
