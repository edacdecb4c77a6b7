import type { OperationView } from "@keelson/portal-api";
import { DataTable } from "../display/data-table.tsx";
import { StateLabel } from "../display/state-label.tsx";
import { formatDuration } from "../display/time.ts";
import { TimeText } from "../display/time-text.tsx";
import { outcomeOf, timelineLayout } from "./timeline-layout.ts";

const statuses = { running: "info", succeeded: "success", failed: "danger" } as const;

interface StepsTableProps {
  readonly operation: OperationView;
  readonly nowMs: number;
}

/** Table of an operation's steps as text. */
export function StepsTable({ operation, nowMs }: StepsTableProps) {
  return (
    <DataTable
      label={`Steps of ${operation.kind}`}
      rows={timelineLayout(operation, nowMs).bars}
      keyOf={({ name }, at) => `${name} ${at}`}
      empty="No step has begun yet."
      columns={[
        { title: "Step", cell: ({ name }) => name, breaks: true },
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
        { title: "Attempts", sortBy: ({ attempts }) => attempts, cell: ({ attempts }) => attempts },
        { title: "Last Error", cell: ({ error }) => error ?? "–", breaks: true },
      ]}
    />
  );
}
