import type { OperationView } from "@keelson/portal-api";
import { formatDuration } from "../display/time.ts";
import { useWidth } from "../display/width.ts";
import { type Medians, medianText } from "./medians.ts";
import { timeTicks } from "./time-ticks.ts";
import { outcomeOf, type TimelineBar, timelineLayout, waitedMs } from "./timeline-layout.ts";

const rowHeight = 26;
const barHeight = 14;
const axisHeight = 24;
const letterWidth = 7.2;
const longestName = 38;
/** Width in pixels of the column for duration and attempts on the right. */
const endWidth = 120;
const tickDistance = 110;
/** Minimum chart width in pixels to show names next to their bars. In a narrower chart, names are above the bars. */
const wideFrom = 680;
const leastBar = 3;

interface GanttProps {
  readonly operation: OperationView;
  readonly nowMs: number;
  readonly medians: Medians;
}

const waitName = "waits for a worker";

/**
 * Chart of an operation's steps over time. For each step, the chart shows a bar, the attempts, the error, and a mark at the
 * median duration over all clusters. The first row shows the time in which no step ran.
 */
export function Gantt({ operation, nowMs, medians }: GanttProps) {
  const [element, width] = useWidth();
  const { lengthMs, bars, waits } = timelineLayout(operation, nowMs);
  const firstRow = waits.length > 0 ? 1 : 0;
  const isWide = width >= wideFrom;
  const nameLength = Math.min(
    longestName,
    Math.max(firstRow * waitName.length, ...bars.map(({ name }) => name.length)),
  );
  const left = isWide ? nameLength * letterWidth + 16 : 0;
  const height = isWide ? rowHeight : rowHeight + 16;
  const room = Math.max(1, width - left - (isWide ? endWidth : leastBar));
  const x = (ms: number) => left + (ms / lengthMs) * room;
  const bottom = axisHeight + (bars.length + firstRow) * height;
  const failed = bars.filter(({ outcome }) => outcome === "failed").length;
  return (
    <div ref={element} className="gantt">
      {width > 0 && (
        <svg
          width={width}
          height={bottom}
          role="img"
          aria-label={`${bars.length} steps of ${operation.kind} in ${formatDuration(lengthMs)}, ${failed} failed. The same is in the table.`}
        >
          {timeTicks(lengthMs, Math.max(1, Math.floor(room / tickDistance))).map((tick) => (
            <g key={tick} className="tick">
              <line x1={x(tick)} x2={x(tick)} y1={axisHeight - 6} y2={bottom} />
              <text x={x(tick)} y={12} textAnchor={tick === 0 ? "start" : "middle"}>
                {tick === 0 ? "0" : formatDuration(tick)}
              </text>
            </g>
          ))}
          {firstRow > 0 && (
            <g transform={`translate(0 ${axisHeight})`}>
              <title>{`No step ran for ${formatDuration(waitedMs(waits))}`}</title>
              <text x={isWide ? left - 10 : 0} y={isWide ? 17 : 13} textAnchor={isWide ? "end" : "start"}>
                {waitName}
              </text>
              {waits.map((wait) => (
                <rect
                  key={wait.fromMs}
                  className="wait"
                  x={x(wait.fromMs)}
                  y={height - barHeight - 6}
                  width={Math.max(leastBar, (wait.lengthMs / lengthMs) * room)}
                  height={barHeight}
                  rx={3}
                />
              ))}
              <text className="bar-end" x={width} y={isWide ? height - 9 : 13} textAnchor="end">
                {formatDuration(waitedMs(waits))}
              </text>
            </g>
          )}
          {bars.map((bar, at) => {
            const from = x(bar.fromMs);
            const length = (bar.lengthMs / lengthMs) * room;
            const median = medians.get(bar.name);
            const medianX = median && x(bar.fromMs + median.medianMs);
            return (
              <g
                key={`${bar.name} ${bar.startedAt}`}
                transform={`translate(0 ${axisHeight + (at + firstRow) * height})`}
              >
                <title>{titleOf(bar, medians)}</title>
                <text x={isWide ? left - 10 : 0} y={isWide ? 17 : 13} textAnchor={isWide ? "end" : "start"}>
                  {shortened(bar.name, isWide ? longestName : Math.floor((width - endWidth) / letterWidth))}
                </text>
                <Bar bar={bar} x={from} y={height - barHeight - 6} width={length} />
                {medianX !== undefined && medianX <= left + room && (
                  <line
                    className="median"
                    x1={medianX}
                    x2={medianX}
                    y1={height - barHeight - 9}
                    y2={height - 3}
                  />
                )}
                <text
                  className="bar-end"
                  x={isWide ? from + Math.max(leastBar, length) + 5 : width}
                  y={isWide ? height - 9 : 13}
                  textAnchor={isWide ? "start" : "end"}
                >
                  {figuresOf(bar)}
                </text>
              </g>
            );
          })}
        </svg>
      )}
      {bars.some(({ name }) => medians.has(name)) && (
        <p className="faint">
          The mark on a bar is the median duration of this step in all clusters.
          {bars.some(({ attempts }) => attempts > 1) && " ×2 means two attempts."}
        </p>
      )}
    </div>
  );
}

interface BarProps {
  readonly bar: TimelineBar;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

function Bar({ bar, x, y, width }: BarProps) {
  const className = `bar ${bar.outcome}${bar.attempts > 1 ? " retried" : ""}`;
  return (
    <rect className={className} x={x} y={y} width={Math.max(leastBar, width)} height={barHeight} rx={3} />
  );
}

function figuresOf({ lengthMs, attempts, outcome }: TimelineBar): string {
  const retried = attempts > 1 ? ` ×${attempts}` : "";
  return `${formatDuration(lengthMs)}${retried}${outcome === "failed" ? " ✕" : ""}`;
}

const titleOf = (bar: TimelineBar, medians: Medians): string =>
  [
    `${bar.name}: ${outcomeOf(bar)} in ${formatDuration(bar.lengthMs)}`,
    medianText(medians.get(bar.name)),
    bar.error,
  ]
    .filter(Boolean)
    .join("\n");

const shortened = (name: string, most: number): string =>
  name.length > most ? `${name.slice(0, most - 1)}…` : name;
