/** A small curve over whole numbers, drawn as SVG; its points are told to those who don't see it. */

const WIDTH = 260;
const HEIGHT = 120;
const LEFT = 40;
const BOTTOM = 20;

export function Curve({
  title,
  points,
  now,
  text,
}: {
  title: string;
  points: readonly { x: number; y: number | null }[];
  /** The value asked about; null when it isn't known. */
  now: number | null;
  text: (value: number) => string;
}) {
  const known = points.filter((point): point is { x: number; y: number } => point.y !== null);
  const first = points[0]?.x ?? 0;
  const last = Math.max(first + 1, points[points.length - 1]?.x ?? 1);
  const most = Math.max(0.01, ...known.map((point) => point.y));
  const x = (value: number) => LEFT + ((value - first) / (last - first)) * (WIDTH - LEFT - 10);
  const y = (value: number) => 8 + (1 - value / most) * (HEIGHT - BOTTOM - 12);
  const line = known.map((p, i) => `${i === 0 ? "M" : "L"}${x(p.x)} ${y(p.y)}`).join("");
  const told = known.map((p) => `${p.x}: ${text(p.y)}`).join(", ");
  return (
    <figure class="curve">
      <figcaption>{title}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${title}: ${told}`}>
        <line class="axis" x1={LEFT} x2={WIDTH - 10} y1={y(0)} y2={y(0)} />
        <text x={LEFT - 4} y={y(most) + 4} text-anchor="end">
          {text(most)}
        </text>
        <text x={LEFT - 4} y={y(0) + 4} text-anchor="end">
          0
        </text>
        <text x={x(first)} y={HEIGHT - 4} text-anchor="middle">
          {first}
        </text>
        <text x={x(last)} y={HEIGHT - 4} text-anchor="middle">
          {last}
        </text>
        {now !== null && now >= first && now <= last && (
          <>
            <line class="now" x1={x(now)} x2={x(now)} y1={4} y2={y(0)} />
            {now !== first && now !== last && (
              <text x={x(now)} y={HEIGHT - 4} text-anchor="middle">
                {now}
              </text>
            )}
          </>
        )}
        <path d={line} />
        {known.map((point) => (
          <circle key={point.x} cx={x(point.x)} cy={y(point.y)} r={2.5}>
            <title>{`${title} ${point.x}: ${text(point.y)}`}</title>
          </circle>
        ))}
      </svg>
    </figure>
  );
}
