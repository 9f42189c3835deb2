import { useState } from "preact/hooks";
import uPlot from "uplot";
import { count, utc } from "../text/format";
import { type Points, stacked } from "../text/series";
import { type Colors, FONT, type Plotted, type Steps, usePlot } from "./plot";
import { TableFrame } from "./table";

export interface ChartSeries {
  name: string;
  points: Points;
  /** The name of a colour in style.css. */
  color: string;
  dash?: number[];
  /** Drawn as steps: a limit holds until it changes. */
  steps?: boolean;
}

interface ChartProps extends Steps {
  label: string;
  unit: string;
  series: ChartSeries[];
  kind: "stack" | "lines";
  /** How values are written; whole numbers unless said. */
  format?: (value: number | null | undefined) => string;
  /** The least height of the scale, so that small noise doesn't look like mountains. */
  least?: number;
  height?: number;
}

/** A chart over time, with the same numbers as a table for those who don't see it. */
export function Chart(props: ChartProps) {
  const key = JSON.stringify([props.times, props.series, props.complete, props.kind]);
  const holder = usePlot(props, props.height ?? 220, key, (color) => plotted(props, color));
  return (
    <figure class="chart">
      <div
        ref={holder}
        role="img"
        aria-label={`${props.label}: chart; the same numbers are in the table below`}
      />
      <AsTable {...props} />
    </figure>
  );
}

function AsTable({ label, unit, times, series, complete, format = count }: ChartProps) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>As a table</summary>
      {open && (
        <TableFrame label={`${label} as a table`} tall>
          <thead>
            <tr>
              <th scope="col">From (UTC)</th>
              {series.map((one) => (
                <th scope="col" class="number" key={one.name}>
                  {one.name} ({unit})
                </th>
              ))}
              <th scope="col">Complete</th>
            </tr>
          </thead>
          <tbody>
            {times.map((time, i) => (
              <tr key={time}>
                <th scope="row">{utc(time, false)}</th>
                {series.map((one) => (
                  <td class="number" key={one.name}>
                    {format(one.points[i])}
                  </td>
                ))}
                <td>{complete[i] === true ? "yes" : "not yet"}</td>
              </tr>
            ))}
          </tbody>
        </TableFrame>
      )}
    </details>
  );
}

function plotted(props: ChartProps, color: Colors): Plotted {
  const format = props.format ?? count;
  const stack = props.kind === "stack";
  const points = props.series.map((one) => one.points);
  // The tallest of a stack is drawn first, and the others over it.
  const drawn = stack ? [...props.series].reverse() : props.series;
  const y = stack ? stacked(points).reverse() : points;
  return {
    data: [props.times.map((time) => Date.parse(time) / 1000), ...y] as uPlot.AlignedData,
    options: {
      scales: { y: { range: (_plot, _min, max) => [0, Math.max(props.least ?? 1, max * 1.08)] } },
      points: !stack,
      yAxis: {
        size: 62,
        label: props.unit,
        labelSize: 16,
        labelFont: FONT,
        values: (_plot, ticks) =>
          ticks.map((tick) =>
            props.format !== undefined || Number.isInteger(tick) ? format(tick) : "",
          ),
      },
      series: [
        {},
        ...drawn.map((one): uPlot.Series => {
          const base: uPlot.Series = {
            label: one.name,
            stroke: color(one.color),
            value: (_plot, _value, _series, i) => (i === null ? "–" : format(one.points[i])),
          };
          return stack
            ? {
                ...base,
                fill: color(one.color),
                width: 0,
                points: { show: false },
                paths: uPlot.paths.bars!({ size: [0.9, Infinity], align: 1 }),
              }
            : {
                ...base,
                width: 2,
                ...(one.dash === undefined ? {} : { dash: one.dash }),
                ...(one.steps === true ? { paths: uPlot.paths.stepped!({ align: 1 }) } : {}),
              };
        }),
      ],
    },
  };
}
