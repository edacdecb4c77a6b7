import { Button, FormSelect, FormSelectOption, TextInput } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { queries } from "../api/queries.ts";
import type { StatisticsPage } from "../api/statistics-page.ts";
import { Labelled } from "../display/labelled.tsx";
import { QueryView } from "../display/query-view.tsx";
import type { TabProps } from "../navigation/tab-props.ts";
import { type Chart, charts } from "./charts.ts";
import {
  type DurationName,
  durationMs,
  durations,
  goDuration,
  parseDurationName,
  parseEndTime,
} from "./durations.ts";
import { LineChart } from "./line-chart.tsx";
import { seriesOf } from "./scale.ts";

interface StatisticsTabProps extends TabProps {
  readonly page: StatisticsPage;
}

const nowText = () => `${new Date().toISOString().slice(0, 19)}Z`;

/** Page with charts for one subject. The URL contains the time range. */
export function StatisticsTab({ cluster, page }: StatisticsTabProps) {
  const [search, setSearch] = useSearchParams();
  const duration = parseDurationName(search.get("duration"));
  const end = search.get("end") ?? "";
  const [now, setNow] = useState(nowText);
  const endTime = parseEndTime(end) ?? now;
  const change = (changes: { duration?: string; end?: string }) => {
    const next = { duration, end, ...changes };
    setSearch(next.end ? next : { duration: next.duration }, { replace: true });
    setNow(nowText());
  };
  return (
    <>
      <div className="toolbar">
        <Labelled label="Duration" htmlFor="duration">
          <FormSelect id="duration" value={duration} onChange={(_, value) => change({ duration: value })}>
            {durations.map((each) => (
              <FormSelectOption key={each} value={each} label={each} />
            ))}
          </FormSelect>
        </Labelled>
        <Labelled label="End time (UTC)" htmlFor="end-time">
          <TextInput
            id="end-time"
            type="datetime-local"
            value={end}
            onChange={(_, value) => change({ end: value })}
          />
        </Labelled>
        <Button variant="secondary" onClick={() => change({ end: "" })}>
          Now
        </Button>
      </div>
      {charts[page].map((chart) => (
        <ChartOf key={chart.type} cluster={cluster} chart={chart} duration={duration} endTime={endTime} />
      ))}
    </>
  );
}

interface ChartOfProps extends TabProps {
  readonly chart: Chart;
  readonly duration: DurationName;
  readonly endTime: string;
}

function ChartOf({ cluster, chart, duration, endTime }: ChartOfProps) {
  const statistics = useQuery({
    ...queries.statistics(cluster, chart.type, goDuration(duration), endTime),
    placeholderData: (before) => before,
  });
  return (
    <section className="chart" aria-label={chart.title}>
      <h3>{chart.title}</h3>
      <QueryView query={statistics} subject={chart.title}>
        {(data) => (
          <LineChart
            series={seriesOf(data)}
            fromMs={Date.parse(endTime) - durationMs(duration)}
            toMs={Date.parse(endTime)}
            title={chart.title}
            unit={chart.unit}
          />
        )}
      </QueryView>
    </section>
  );
}
