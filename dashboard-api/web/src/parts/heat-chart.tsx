import { useState } from "preact/hooks";
import uPlot from "uplot";
import { count, utc } from "../text/format";
import { heatLevel } from "../text/heat";
import { type Colors, type Plotted, type Steps, usePlot } from "./plot";
import { TableFrame } from "./table";

interface HeatProps extends Steps {
  label: string;
  /** Lower ends of the buckets, ascending. */
  edges: readonly number[];
  /** For each time the count of each bucket; null where nothing is known. */
  counts: readonly (readonly number[] | null)[];
  /** An edge in words. */
  format: (edge: number | null | undefined) => string;
}

/** How many calls of each size over time: darker is more. */
export function HeatChart(props: HeatProps) {
  const key = JSON.stringify([props.times, props.edges, props.counts, props.complete]);
  const holder = usePlot(props, 260, key, (color) => plotted(props, color));
  return (
    <figure class="chart">
      <div
        ref={holder}
        role="img"
        aria-label={`${props.label}: heat map; the same numbers are in the table below`}
      />
      <AsTable {...props} />
    </figure>
  );
}

function AsTable({ label, times, edges, counts, format }: HeatProps) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>As a table</summary>
      {open && (
        <TableFrame label={`${label} as a table`} tall>
          <thead>
            <tr>
              <th scope="col">From (UTC)</th>
              {edges.map((edge) => (
                <th scope="col" class="number" key={edge}>
                  ≥ {format(edge)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {times.map((time, i) => (
              <tr key={time}>
                <th scope="row">{utc(time, false)}</th>
                {edges.map((edge, bucket) => (
                  <td class="number" key={edge}>
                    {count(counts[i]?.[bucket])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </TableFrame>
      )}
    </details>
  );
}

function plotted(props: HeatProps, color: Colors): Plotted {
  const buckets = props.edges.length;
  const most = Math.max(1, ...props.counts.map((row) => Math.max(0, ...(row ?? []))));
  return {
    data: [
      props.times.map((time) => Date.parse(time) / 1000),
      props.counts.map((row) => (row === null ? null : row.reduce((sum, n) => sum + n, 0))),
    ] as uPlot.AlignedData,
    options: {
      // The scale counts buckets; their edges are its labels.
      scales: { y: { range: [0, Math.max(1, buckets)] } },
      points: false,
      yAxis: {
        size: 70,
        incrs: [1, 2, 5, 10, 20, 50, 100],
        space: 22,
        values: (_plot, ticks) => ticks.map((tick) => format(props, tick)),
      },
      series: [
        {},
        {
          label: "calls",
          stroke: color("text-quiet"),
          paths: () => null,
          points: { show: false },
          value: (_plot, value) => count(value),
        },
      ],
      draw: (plot) => {
        const { ctx, bbox } = plot;
        ctx.save();
        ctx.beginPath();
        ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
        ctx.clip();
        props.times.forEach((time, i) => {
          const start = Date.parse(time) / 1000;
          const left = plot.valToPos(start, "x", true);
          const width = plot.valToPos(start + props.step, "x", true) - left;
          props.counts[i]?.forEach((n, bucket) => {
            if (n > 0) {
              const top = plot.valToPos(bucket + 1, "y", true);
              const height = plot.valToPos(bucket, "y", true) - top;
              ctx.fillStyle = color(`heat-${heatLevel(n / most)}`);
              ctx.fillRect(left, top, Math.max(1, width - 1), Math.max(1, height - 1));
            }
          });
        });
        ctx.restore();
      },
    },
  };
}

function format(props: HeatProps, tick: number): string {
  return Number.isInteger(tick) && tick < props.edges.length ? props.format(props.edges[tick]) : "";
}
