import type { OperationView } from "@keelson/portal-api";
import { formatDuration } from "../display/time.ts";
import { useWidth } from "../display/width.ts";
import { timeTicks } from "./time-ticks.ts";
import { outcomeOf, type TimelineBar, timelineLayout } from "./timeline-layout.ts";

const rowHeight = 26;
const barHeight = 14;
const axisHeight = 24;
const letterWidth = 7.2;
const longestName = 38;
/** Width in pixels of the column for duration and attempts on the right. */
const endWidth = 120;
const tickDistance = 110;
/** Minimum chart width in pixels for names beside their bars. In a narrower chart, names are above the bars. */
const wideFrom = 680;
const leastBar = 3;

interface GanttProps {
  readonly operation: OperationView;
  readonly nowMs: number;
}

/** Chart of an operation's steps over time. Each step has a bar with its attempts and its error. */
export function Gantt({ operation, nowMs }: GanttProps) {
  const [element, width] = useWidth();
  const { lengthMs, bars } = timelineLayout(operation, nowMs);
  const isWide = width >= wideFrom;
  const nameLength = Math.min(longestName, Math.max(0, ...bars.map(({ name }) => name.length)));
  const left = isWide ? nameLength * letterWidth + 16 : 0;
  const height = isWide ? rowHeight : rowHeight + 16;
  const room = Math.max(1, width - left - (isWide ? endWidth : leastBar));
  const x = (ms: number) => left + (ms / lengthMs) * room;
  const failed = bars.filter(({ outcome }) => outcome === "failed").length;
  return (
    <div ref={element} className="gantt">
      {width > 0 && (
        <svg
          width={width}
          height={axisHeight + bars.length * height}
          role="img"
          aria-label={`${bars.length} steps of ${operation.kind} in ${formatDuration(lengthMs)}, ${failed} failed. The same is in the table.`}
        >
          {timeTicks(lengthMs, Math.max(1, Math.floor(room / tickDistance))).map((tick) => (
            <g key={tick} className="tick">
              <line x1={x(tick)} x2={x(tick)} y1={axisHeight - 6} y2={axisHeight + bars.length * height} />
              <text x={x(tick)} y={12} textAnchor={tick === 0 ? "start" : "middle"}>
                {tick === 0 ? "0" : formatDuration(tick)}
              </text>
            </g>
          ))}
          {bars.map((bar, at) => {
            const from = x(bar.fromMs);
            const length = (bar.lengthMs / lengthMs) * room;
            return (
              <g key={`${bar.name} ${bar.startedAt}`} transform={`translate(0 ${axisHeight + at * height})`}>
                <title>{titleOf(bar)}</title>
                <text x={isWide ? left - 10 : 0} y={isWide ? 17 : 13} textAnchor={isWide ? "end" : "start"}>
                  {shortened(bar.name, isWide ? longestName : Math.floor((width - endWidth) / letterWidth))}
                </text>
                <Bar bar={bar} x={from} y={height - barHeight - 6} width={length} />
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

const titleOf = (bar: TimelineBar): string =>
  [`${bar.name}: ${outcomeOf(bar)} in ${formatDuration(bar.lengthMs)}`, bar.error].filter(Boolean).join("\n");

const shortened = (name: string, most: number): string =>
  name.length > most ? `${name.slice(0, most - 1)}…` : name;
