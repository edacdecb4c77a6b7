import { useQuery } from "@tanstack/react-query";
import { queries } from "../api/queries.ts";
import { DataTable } from "../display/data-table.tsx";
import { QueryView } from "../display/query-view.tsx";
import { StateLabel } from "../display/state-label.tsx";
import { formatTime } from "../display/time.ts";
import type { TabProps } from "../navigation/tab-props.ts";

/** Tasks that maintenance does to the cluster, or did. */
export default function MaintenanceTab({ cluster }: TabProps) {
  const maintenance = useQuery(queries.maintenance(cluster));
  return (
    <QueryView query={maintenance} subject="maintenance">
      {(data) => (
        <DataTable
          label="Maintenance manifests"
          rows={data.manifests}
          keyOf={({ id }) => id}
          initialOrder={{ column: "Not Before", descending: true }}
          empty="No maintenance is planned, and none was done lately."
          columns={[
            { title: "Task", sortBy: ({ task }) => task, cell: ({ task }) => task, breaks: true },
            {
              title: "State",
              sortBy: ({ state }) => state,
              cell: ({ state }) => <StateLabel state={state} />,
            },
            { title: "Priority", sortBy: ({ priority }) => priority, cell: ({ priority }) => priority },
            {
              title: "Not Before",
              sortBy: ({ runAfter }) => runAfter,
              cell: ({ runAfter }) => formatTime(runAfter),
            },
            {
              title: "Not After",
              sortBy: ({ runBefore }) => runBefore ?? "",
              cell: ({ runBefore }) => formatTime(runBefore ?? ""),
            },
            {
              title: "Schedule",
              sortBy: ({ createdBySchedule }) => createdBySchedule ?? "",
              cell: ({ createdBySchedule }) => createdBySchedule ?? "–",
              breaks: true,
            },
            { title: "Result", cell: ({ statusText }) => statusText || "–", breaks: true },
          ]}
        />
      )}
    </QueryView>
  );
}
