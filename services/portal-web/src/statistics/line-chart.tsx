import { type PointerEvent, useState } from "react";
import { DataTable } from "../display/data-table.tsx";
import { formatTime } from "../display/time.ts";
import { useWidth } from "../display/width.ts";
import { formatValue, type Unit } from "./charts.ts";
import { nearest, type Series, thinned, valueTicks } from "./scale.ts";

const height = 220;
const margin = { top: 10, right: 12, bottom: 24, left: 78 };
const tickDistance = 130;
/** Number of different line styles. If a chart has more lines, the styles are repeated. */
const styleCount = 8;

interface LineChartProps {
  readonly series: readonly Series[];
  /** Start of the requested time range. For a new cluster, only a part of this range has values. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly title: string;
  readonly unit: Unit;
}

/** Chart of series over time. It shows the values at the pointer, and contains a table for screen readers. */
export function LineChart({ series, fromMs, toMs, title, unit }: LineChartProps) {
  const [element, width] = useWidth();
  const [pointer, setPointer] = useState<number>();
  const all = series.flatMap(({ points }) => points);
  if (all.length === 0) return <div className="empty">There are no values in this time.</div>;
  const [first, last] = extent(all.map(({ ms }) => ms));
  const [from, to] = [Math.min(fromMs, first), Math.max(toMs, last)];
  const [least, largest] = extent(all.map(({ value }) => value));
  const ticks = valueTicks(least, largest, 4);
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)];
  const room = { x: Math.max(1, width - margin.left - margin.right), y: height - margin.top - margin.bottom };
  const x = (ms: number) => margin.left + ((ms - from) / Math.max(1, to - from)) * room.x;
  const y = (value: number) => margin.top + (1 - (value - low) / (high - low)) * room.y;
  const point = ({ clientX, currentTarget }: PointerEvent<SVGSVGElement>) => {
    const at = (clientX - currentTarget.getBoundingClientRect().left - margin.left) / room.x;
    setPointer(from + Math.min(1, Math.max(0, at)) * (to - from));
  };
  const marked =
    pointer === undefined
      ? undefined
      : nearest(
          all.toSorted((a, b) => a.ms - b.ms),
          pointer,
        )?.ms;
  return (
    <div ref={element}>
      {width > 0 && (
        <svg
          width={width}
          height={height}
          role="img"
          aria-label={`${title}: ${series.length} lines. The same is in the table.`}
          onPointerMove={point}
          onPointerLeave={() => setPointer(undefined)}
        >
          {ticks.map((tick) => (
            <g key={tick} className="tick">
              <line x1={margin.left} x2={margin.left + room.x} y1={y(tick)} y2={y(tick)} />
              <text x={margin.left - 8} y={y(tick) + 4} textAnchor="end">
                {formatValue(tick, unit)}
              </text>
            </g>
          ))}
          {timesBetween(from, to, Math.max(1, Math.floor(room.x / tickDistance))).map((ms) => (
            <text key={ms} className="time" x={x(ms)} y={height - 6} textAnchor="middle">
              {shortTime(ms, to - from)}
            </text>
          ))}
          {series.map(({ name, points }, at) => (
            <polyline
              key={name}
              className={`line series-${at % styleCount}`}
              points={thinned(points, Math.ceil(room.x / 2))
                .map(({ ms, value }) => `${x(ms).toFixed(1)},${y(value).toFixed(1)}`)
                .join(" ")}
            />
          ))}
          {series.map(({ name, points: [only, ...others] }, at) =>
            only && others.length === 0 ? (
              <circle
                key={name}
                className={`line series-${at % styleCount}`}
                cx={x(only.ms)}
                cy={y(only.value)}
                r={2}
              />
            ) : undefined,
          )}
          {marked !== undefined && (
            <line
              className="pointer"
              x1={x(marked)}
              x2={x(marked)}
              y1={margin.top}
              y2={margin.top + room.y}
            />
          )}
        </svg>
      )}
      <p className="faint chart-time">
        {marked === undefined ? " " : formatTime(new Date(marked).toISOString())}
      </p>
      <ul className="legend">
        {series.map(({ name, points }, at) => {
          const shown = marked === undefined ? points.at(-1) : nearest(points, marked);
          return (
            <li key={name}>
              <svg className="legend-line" width="22" height="10" aria-hidden="true">
                <line className={`line series-${at % styleCount}`} x1="1" x2="21" y1="5" y2="5" />
              </svg>
              {name || "all"} <strong>{shown ? formatValue(shown.value, unit) : "–"}</strong>
            </li>
          );
        })}
      </ul>
      <details>
        <summary>Values in a table</summary>
        <DataTable
          label={title}
          rows={series}
          keyOf={({ name }) => name}
          empty="None."
          columns={[
            { title: "Series", sortBy: ({ name }) => name, cell: ({ name }) => name || "all", breaks: true },
            ...(["Least", "Mean", "Largest", "Last"] as const).map((which) => ({
              title: which,
              sortBy: ({ points }: Series) => figures(points)?.[which] ?? "",
              cell: ({ points }: Series) => {
                const value = figures(points)?.[which];
                return value === undefined ? "–" : formatValue(value, unit);
              },
            })),
          ]}
        />
      </details>
    </div>
  );
}

const extent = (values: readonly number[]): [number, number] =>
  values.reduce(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );

function figures(points: Series["points"]) {
  const values = points.map(({ value }) => value);
  if (values.length === 0) return undefined;
  const [Least, Largest] = extent(values);
  const Mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { Least, Mean, Largest, Last: values.at(-1) };
}

/**
 * Returns `count` times with equal distances inside a range. The start and the end are excluded, because labels there would be
 * cut off.
 */
const timesBetween = (from: number, to: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, at) => from + ((at + 0.5) / count) * (to - from));

const dayMs = 86_400_000;

function shortTime(ms: number, spanMs: number): string {
  const text = new Date(ms).toISOString();
  return spanMs > 2 * dayMs ? text.slice(5, 10) : `${text.slice(11, 16)}`;
}
