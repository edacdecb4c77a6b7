import { DataTable } from "../display/data-table.tsx";
import { durationMs } from "../statistics/durations.ts";
import { LineChart } from "../statistics/line-chart.tsx";
import type { PromQuery } from "./prom-query.ts";
import type { PromResult } from "./prom-result.ts";

interface PromResultViewProps {
  readonly result: PromResult;
  readonly asked: PromQuery;
}

/** Displays the result of a query, together with the warnings of Prometheus. */
export function PromResultView({ result, asked }: PromResultViewProps) {
  const { series, warnings, text } = result;
  const endMs = Date.parse(asked.endTime);
  return (
    <>
      {warnings.map((warning) => (
        <p key={warning} className="faint">
          Warning: {warning}
        </p>
      ))}
      {text !== undefined && <p>{text}</p>}
      {text === undefined && asked.view === "graph" && (
        <LineChart
          series={series.map((each) => ({
            ...each,
            points: each.points.filter(({ value }) => Number.isFinite(value)),
          }))}
          fromMs={endMs - durationMs(asked.duration)}
          toMs={endMs}
          title={asked.query}
          unit="count"
        />
      )}
      {text === undefined && asked.view === "table" && (
        <DataTable
          label="Result"
          rows={series}
          keyOf={({ name }, at) => `${at} ${name}`}
          empty="The query has no result at this time."
          columns={[
            {
              title: "Series",
              sortBy: ({ name }) => name,
              cell: ({ name }) => <code>{name}</code>,
              breaks: true,
            },
            {
              title: "Value",
              sortBy: ({ points }) => points[0]?.value ?? "",
              cell: ({ points }) => valueText(points[0]?.value),
            },
          ]}
        />
      )}
    </>
  );
}

function valueText(value: number | undefined): string {
  if (value === undefined) return "–";
  return Number.isFinite(value) ? String(value) : value > 0 ? "+Inf" : "-Inf";
}
