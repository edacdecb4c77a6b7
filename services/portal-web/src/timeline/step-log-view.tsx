import type { StepLog } from "@keelson/portal-api";
import { useEffect, useRef } from "react";
import { DataTable } from "../display/data-table.tsx";
import { StateLabel } from "../display/state-label.tsx";
import { TimeText } from "../display/time-text.tsx";

const statuses = { info: "info", warning: "warning", error: "danger" } as const;

/** Log lines of a step, with its retries and their errors. */
export function StepLogView({ log: { name, entries, omitted } }: { readonly log: StepLog }) {
  const detail = useRef<HTMLDivElement>(null);
  // The link above the table opens the log of the failed step, which can be below the window.
  useEffect(() => {
    void detail.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <div ref={detail} className="detail">
      {omitted > 0 && <p className="faint">{omitted} older lines were removed.</p>}
      <DataTable
        label={`Log of ${name}`}
        rows={entries}
        keyOf={({ at }, index) => `${index} ${at}`}
        empty="The step has no log lines."
        columns={[
          { title: "Time", cell: ({ at }) => <TimeText at={at} /> },
          {
            title: "Level",
            cell: ({ level }) => <StateLabel state={level} status={statuses[level]} />,
          },
          {
            title: "Message",
            breaks: true,
            cell: ({ message, attempt }) =>
              attempt === undefined ? message : `${message} after attempt ${attempt}`,
          },
          {
            title: "Details",
            breaks: true,
            cell: ({ error, details }) => (
              <>
                {error}
                {error !== undefined && details !== undefined && <br />}
                {details !== undefined && <code>{details}</code>}
              </>
            ),
          },
        ]}
      />
    </div>
  );
}
