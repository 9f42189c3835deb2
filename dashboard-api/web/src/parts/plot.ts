/** What every chart over time shares: the axis, the crosshair, zoom by drag, and what it points out. */
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { usePlace } from "../state/place";
import { withTime } from "../state/view";
import { utc } from "../text/format";
import { firstOpenStep, timeLabels } from "../text/series";
import { useMarks } from "./marks";

/** A moment that charts point out. */
export interface Mark {
  at: string;
  label: string;
}

/** The steps that a chart is about. */
export interface Steps {
  times: readonly string[];
  /** Seconds. */
  step: number;
  complete: readonly boolean[];
}

export type Colors = (name: string) => string;

/** What a chart adds to what all share. */
export interface Plotted {
  options: Pick<uPlot.Options, "scales" | "series"> & {
    yAxis: Partial<uPlot.Axis>;
    points: boolean;
    draw?: (plot: uPlot) => void;
  };
  data: uPlot.AlignedData;
}

/** Charts of one page share their crosshair. */
const CROSSHAIR = uPlot.sync("time");

export const FONT = "12px system-ui, sans-serif";

/** Seconds between ticks; nothing is finer than the minutes of the data. */
const TIME_TICKS = [
  60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800,
  2_592_000, 31_536_000,
];

/**
 * Draws a chart into an element and keeps it as wide as that is; anew when what it shows changes.
 *
 * @param key changes when what is drawn does
 */
export function usePlot(
  steps: Steps,
  height: number,
  key: string,
  plotted: (color: Colors) => Plotted,
): RefObject<HTMLDivElement | null> {
  const holder = useRef<HTMLDivElement>(null);
  const { view, navigate, dark } = usePlace();
  const marks = useMarks();
  const zoom = useRef<(from: string, to: string) => void>(() => undefined);
  zoom.current = (from, to) => navigate(withTime(view, from, to));
  useEffect(() => {
    const element = holder.current;
    if (element === null) {
      return undefined;
    }
    const css = getComputedStyle(document.documentElement);
    const color: Colors = (name) => css.getPropertyValue(`--${name}`).trim();
    const { options, data } = plotted(color);
    const width = Math.max(element.clientWidth, 120);
    const plot = new uPlot(
      shared(steps, marks, color, options, { width, height }, zoom),
      data,
      element,
    );
    const observer = new ResizeObserver(() => {
      if (element.clientWidth > 0 && element.clientWidth !== plot.width) {
        plot.setSize({ width: element.clientWidth, height });
      }
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [key, marks, dark]);
  return holder;
}

function shared(
  steps: Steps,
  marks: Mark[],
  color: Colors,
  { yAxis, points, draw, scales, series }: Plotted["options"],
  size: { width: number; height: number },
  zoom: { current: (from: string, to: string) => void },
): uPlot.Options {
  const axis: Partial<uPlot.Axis> = {
    stroke: color("text-quiet"),
    grid: { stroke: color("grid"), width: 1 },
    ticks: { stroke: color("grid"), width: 1 },
    font: FONT,
  };
  const first = Date.parse(steps.times[0] ?? "") / 1000;
  const last = Date.parse(steps.times[steps.times.length - 1] ?? "") / 1000 + steps.step;
  return {
    ...size,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
    scales: { x: { range: [first, last] }, ...scales },
    axes: [
      { ...axis, space: 64, incrs: TIME_TICKS, values: (_plot, ticks) => timeLabels(ticks) },
      { ...axis, ...yAxis },
    ],
    series: [
      {
        label: "UTC",
        value: (_plot, at) => (at === null ? "–" : utc(new Date(at * 1000).toISOString(), false)),
      },
      ...series.slice(1),
    ],
    cursor: {
      sync: { key: CROSSHAIR.key, setSeries: false },
      drag: { x: true, y: false, setScale: false },
      points: { show: points },
    },
    legend: { live: true },
    hooks: {
      drawClear: [(plot) => drawOpen(plot, steps, color("open"), color("text-quiet"))],
      draw: [
        (plot) => draw?.(plot),
        (plot) => drawMarks(plot, marks, color("mark"), color("panel")),
      ],
      setSelect: [
        (plot) => {
          // The other charts of the page get the same selection; whoever was dragged in zooms.
          if (plot.select.width < 8 || plot.cursor.event === undefined) {
            return;
          }
          const at = (pixels: number) =>
            new Date(Math.floor(plot.posToVal(pixels, "x") / 60) * 60_000);
          const from = at(plot.select.left);
          const to = new Date(at(plot.select.left + plot.select.width).getTime() + 60_000);
          zoom.current(
            from.toISOString().replace(".000", ""),
            to.toISOString().replace(".000", ""),
          );
        },
      ],
    },
  };
}

/** Shades the steps at the end that can still change. */
function drawOpen(plot: uPlot, steps: Steps, fill: string, text: string) {
  const open = firstOpenStep(steps.complete);
  if (open >= steps.times.length) {
    return;
  }
  const { ctx, bbox } = plot;
  const start = Math.max(bbox.left, plot.valToPos(Date.parse(steps.times[open]!) / 1000, "x", true));
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
