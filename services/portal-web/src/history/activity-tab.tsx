import { useQuery } from "@tanstack/react-query";
import { queries } from "../api/queries.ts";
import { DataTable } from "../display/data-table.tsx";
import { QueryView } from "../display/query-view.tsx";
import { StateLabel } from "../display/state-label.tsx";
import type { TabProps } from "../navigation/tab-props.ts";

/** Page with the cluster's complete history, newest first. */
export default function ActivityTab({ cluster }: TabProps) {
  const activity = useQuery(queries.activity(cluster));
  return (
    <QueryView query={activity} subject="activity">
      {(data) => (
        <DataTable
          label="Activity"
          rows={data.activity}
          keyOf={({ kind, id }) => `${kind} ${id}`}
          initialOrder={{ column: "Time", descending: true }}
          empty="Nothing has happened to this cluster lately."
          columns={[
            { title: "Time", sortBy: ({ at }) => at, isTime: true },
            { title: "Kind", sortBy: ({ kind }) => kind },
            { title: "What", sortBy: ({ title }) => title, breaks: true },
            {
              title: "Who",
              sortBy: ({ who }) => who ?? "",
              cell: ({ who }) => who ?? "the service",
              breaks: true,
            },
            {
              title: "State",
              sortBy: ({ state }) => state,
              cell: ({ state }) => <StateLabel state={state} />,
            },
          ]}
        />
      )}
    </QueryView>
  );
}
