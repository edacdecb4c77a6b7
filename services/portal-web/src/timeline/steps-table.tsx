import type { OperationView, StepLogs } from "@keelson/portal-api";
import { DataTable } from "../display/data-table.tsx";
import { ExpandableName } from "../display/expandable-name.tsx";
import { StateLabel } from "../display/state-label.tsx";
import { formatDuration } from "../display/time.ts";
import { TimeText } from "../display/time-text.tsx";
import { comparedToMedian, type Medians } from "./medians.ts";
import { StepLogView } from "./step-log-view.tsx";
import { outcomeOf, retriesOf, timelineLayout } from "./timeline-layout.ts";

const statuses = { running: "info", succeeded: "success", failed: "danger" } as const;

interface StepsTableProps {
  readonly operation: OperationView;
  readonly nowMs: number;
  readonly medians: Medians;
  /** Log lines of the steps. Undefined until they are read. */
  readonly logs: StepLogs | undefined;
  /** Name of the step with a visible log. Empty if no log is visible. */
  readonly openStep: string;
  readonly onOpen: (step: string) => void;
}

/** Table of an operation's steps. A click on a step with log lines shows these lines. */
export function StepsTable({ operation, nowMs, medians, logs, openStep, onOpen }: StepsTableProps) {
  const byStep = new Map(logs?.steps.map((log) => [log.name, log]));
  return (
    <DataTable
      label={`Steps of ${operation.kind}`}
      className="dense"
      rows={timelineLayout(operation, nowMs).bars}
      keyOf={({ name }, at) => `${name} ${at}`}
      empty="No step has begun yet."
      columns={[
        {
          title: "Step",
          breaks: true,
          cell: ({ name }) =>
            byStep.has(name) ? (
              <ExpandableName
                name={name}
                isOpen={name === openStep}
                onToggle={() => onOpen(name === openStep ? "" : name)}
              />
            ) : (
              name
            ),
        },
        {
          title: "Outcome",
          cell: (bar) => <StateLabel state={outcomeOf(bar)} status={statuses[bar.outcome]} />,
        },
        {
          title: "Start",
          sortBy: ({ fromMs }) => fromMs,
          cell: ({ startedAt }) => <TimeText at={startedAt} />,
        },
        {
          title: "Duration",
          sortBy: ({ lengthMs }) => lengthMs,
          cell: ({ lengthMs }) => formatDuration(lengthMs),
        },
        {
          title: "Fleet Median",
          cell: ({ name, lengthMs }) => comparedToMedian(lengthMs, medians.get(name)),
        },
        { title: "Attempts", sortBy: ({ attempts }) => attempts },
        { title: "Retries", cell: ({ name }) => retriesOf(byStep.get(name)) },
        { title: "Last Error", cell: ({ error }) => error ?? "–", breaks: true },
      ]}
      below={({ name }) => {
        const log = name === openStep ? byStep.get(name) : undefined;
        return log && <StepLogView log={log} />;
      }}
    />
  );
}
