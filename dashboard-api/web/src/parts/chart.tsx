import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { usePlace } from "../state/place";
import { withTime } from "../state/view";
import { count, utc } from "../text/format";
import { firstOpenStep, type Points, stacked, timeLabels } from "../text/series";
import { useMarks } from "./marks";
import { TableFrame } from "./table";

export interface ChartSeries {
  name: string;
  points: Points;
  /** The name of a colour in style.css. */
  color: string;
  dash?: number[];
}

/** A moment that charts point out. */
export interface Mark {
  at: string;
  label: string;
}

interface ChartProps {
  label: string;
  unit: string;
  times: string[];
  step: number;
  complete: boolean[];
  series: ChartSeries[];
  kind: "stack" | "lines";
  /** How values are written; whole numbers unless said. */
  format?: (value: number | null | undefined) => string;
  /** The least height of the scale, so that small noise doesn't look like mountains. */
  least?: number;
}

/** What is drawn: the props and what the page says. */
interface Drawn extends ChartProps {
  marks: Mark[];
  onZoom: (from: string, to: string) => void;
}

const HEIGHT = 220;

/** Charts of one page share their crosshair. */
const CROSSHAIR = uPlot.sync("time");

/** Seconds between ticks; nothing is finer than the minutes of the data. */
const TIME_TICKS = [
  60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800,
  2_592_000, 31_536_000,
];

/** A chart over time, with the same numbers as a table for those who don't see it. */
export function Chart(props: ChartProps) {
  const holder = useRef<HTMLDivElement>(null);
  const { view, navigate, dark } = usePlace();
  const marks = useMarks();
  const drawn: Drawn = {
    ...props,
    marks,
    onZoom: (from, to) => navigate(withTime(view, from, to)),
  };
  const latest = useRef(drawn);
  latest.current = drawn;
  const key = JSON.stringify([props.times, props.series, marks, props.complete]);
  useEffect(() => {
    const element = holder.current;
    if (element === null) {
      return undefined;
    }
    const plot = new uPlot(
      options(latest.current, element.clientWidth, latest),
      data(latest.current),
      element,
    );
    const observer = new ResizeObserver(() => {
      if (element.clientWidth > 0 && element.clientWidth !== plot.width) {
        plot.setSize({ width: element.clientWidth, height: HEIGHT });
      }
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [key, dark, props.kind]);
  return (
    <figure class="chart">
      <div ref={holder} role="img" aria-label={`${props.label}: chart; the same numbers are in the table below`} />
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

function data({ times, series, kind }: Drawn): uPlot.AlignedData {
  const x = times.map((time) => Date.parse(time) / 1000);
  const y = series.map((one) => one.points);
  // The tallest of a stack is drawn first, and the others over it.
  return [x, ...(kind === "stack" ? stacked(y).reverse() : y)] as uPlot.AlignedData;
}

function options(
  props: Drawn,
  width: number,
  latest: { current: Drawn },
): uPlot.Options {
  const css = getComputedStyle(document.documentElement);
  const color = (name: string) => css.getPropertyValue(`--${name}`).trim();
  const axis: Partial<uPlot.Axis> = {
    stroke: color("text-quiet"),
    grid: { stroke: color("grid"), width: 1 },
    ticks: { stroke: color("grid"), width: 1 },
    font: "12px system-ui, sans-serif",
  };
  const format = props.format ?? count;
  const drawn = props.kind === "stack" ? [...props.series].reverse() : props.series;
  const first = Date.parse(props.times[0] ?? "") / 1000;
  const last = Date.parse(props.times[props.times.length - 1] ?? "") / 1000 + props.step;
  return {
    width: Math.max(width, 200),
    height: HEIGHT,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
    scales: {
      x: { range: [first, last] },
      y: { range: (_plot, _min, max) => [0, Math.max(props.least ?? 1, max * 1.08)] },
    },
    axes: [
      { ...axis, space: 64, incrs: TIME_TICKS, values: (_plot, ticks) => timeLabels(ticks) },
      {
        ...axis,
        size: 62,
        label: props.unit,
        labelSize: 16,
        labelFont: "12px system-ui, sans-serif",
        values: (_plot, ticks) =>
          ticks.map((tick) => (props.format !== undefined || Number.isInteger(tick) ? format(tick) : "")),
      },
    ],
    series: [
      { label: "UTC", value: (_plot, at) => (at === null ? "–" : utc(new Date(at * 1000).toISOString(), false)) },
      ...drawn.map((one): uPlot.Series => {
        const raw = one.points;
        const base: uPlot.Series = {
          label: one.name,
          stroke: color(one.color),
          value: (_plot, _value, _series, i) => (i === null ? "–" : format(raw[i])),
        };
        return props.kind === "stack"
          ? {
              ...base,
              fill: color(one.color),
              width: 0,
              points: { show: false },
              paths: uPlot.paths.bars!({ size: [0.9, Infinity], align: 1 }),
            }
          : { ...base, width: 2, ...(one.dash === undefined ? {} : { dash: one.dash }) };
      }),
    ],
    cursor: {
      sync: { key: CROSSHAIR.key, setSeries: false },
      drag: { x: true, y: false, setScale: false },
      points: { show: props.kind === "lines" },
    },
    legend: { live: true },
    hooks: {
      drawClear: [(plot) => drawOpen(plot, latest.current, color("open"), color("text-quiet"))],
      draw: [(plot) => drawMarks(plot, latest.current.marks, color("mark"), color("panel"))],
      setSelect: [
        (plot) => {
          if (plot.select.width < 8) {
            return;
          }
          const at = (pixels: number) =>
            new Date(Math.floor(plot.posToVal(pixels, "x") / 60) * 60_000);
          const from = at(plot.select.left);
          const to = new Date(at(plot.select.left + plot.select.width).getTime() + 60_000);
          latest.current.onZoom(
            from.toISOString().replace(".000", ""),
            to.toISOString().replace(".000", ""),
          );
        },
      ],
    },
  };
}

/** Shades the steps at the end that can still change. */
function drawOpen(plot: uPlot, props: Drawn, fill: string, text: string) {
  const open = firstOpenStep(props.complete);
  if (open >= props.times.length) {
    return;
  }
  const { ctx, bbox } = plot;
  const start = Math.max(bbox.left, plot.valToPos(Date.parse(props.times[open]!) / 1000, "x", true));
  const end = bbox.left + bbox.width;
  ctx.save();
  ctx.fillStyle = fill;
  ctx.fillRect(start, bbox.top, end - start, bbox.height);
  ctx.fillStyle = text;
  ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
  ctx.textBaseline = "top";
  ctx.textAlign = "left";
  const label = "not complete";
  if (end - start > ctx.measureText(label).width + 8 * devicePixelRatio) {
    ctx.fillText(label, start + 4 * devicePixelRatio, bbox.top + 3 * devicePixelRatio);
  }
  ctx.restore();
}

/** A dashed line and a flag where the config changed. */
function drawMarks(plot: uPlot, marks: Mark[], color: string, background: string) {
  const { ctx, bbox } = plot;
  const pixel = devicePixelRatio;
  ctx.save();
  ctx.font = `600 ${11 * pixel}px system-ui, sans-serif`;
  ctx.textBaseline = "top";
  ctx.textAlign = "left";
  let free = bbox.left;
  for (const mark of [...marks].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))) {
    const x = plot.valToPos(Date.parse(mark.at) / 1000, "x", true);
    if (x < bbox.left || x > bbox.left + bbox.width) {
      continue;
    }
    ctx.strokeStyle = color;
    ctx.lineWidth = 1.5 * pixel;
    ctx.setLineDash([5 * pixel, 3 * pixel]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.setLineDash([]);
    const width = ctx.measureText(mark.label).width + 6 * pixel;
    const left = Math.min(x, bbox.left + bbox.width - width);
    if (left < free) {
      // No room for a flag beside the last one; the line stays, and the table names them all.
      continue;
    }
    free = left + width;
    ctx.fillStyle = color;
    ctx.fillRect(left, bbox.top, width, 15 * pixel);
    ctx.fillStyle = background;
    ctx.fillText(mark.label, left + 3 * pixel, bbox.top + 2 * pixel);
  }
  ctx.restore();
}
